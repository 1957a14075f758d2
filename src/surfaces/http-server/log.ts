/** Logs errors of ours and, at `debug`, each request. pino has this shape. */
export interface Log {
  error(fields: object, message: string): void;
  debug?(fields: object, message: string): void;
  /** Absent: every level is. */
  isLevelEnabled?(level: "debug"): boolean;
}

/** Whether each request gets a line of its own. */
export function logsRequests(log: Log): boolean {
  return log.debug !== undefined && (log.isLevelEnabled?.("debug") ?? true);
}
