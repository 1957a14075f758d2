/** `warning`: the service works, and will not for long, or not as well as it could; `error`: a part of it does not work. */
export type Severity = "ok" | "warning" | "error";

/** The result of one check. `remedy` says what to do if it failed. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** How bad it is, where it is not an error. */
  readonly severity?: "warning";
  readonly found: string;
  readonly remedy?: string;
}

/** A check as it is reported. */
export interface Report extends Omit<Check, "severity"> {
  readonly severity: Severity;
}

export function reportOf({ severity, ...check }: Check): Report {
  return { ...check, severity: check.ok ? "ok" : (severity ?? "error") };
}

/** 1: a part does not work; 3: all works, and something needs to be done; 2 is a wrong command line. */
export function exitCodeOf(reports: readonly Report[]): 0 | 1 | 3 {
  const severities = new Set(reports.map(({ severity }) => severity));
  return severities.has("error") ? 1 : severities.has("warning") ? 3 : 0;
}
