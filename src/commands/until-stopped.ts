/** One Ctrl-C can arrive twice: from the terminal, and forwarded by npm. */
const ECHO_MS = 500;

/** Resolves at the first SIGTERM or SIGINT. A second one ends the process at once. */
export function untilStopped(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const hear = (signal: NodeJS.Signals) => {
      if (firstAt === undefined) {
        firstAt = Date.now();
        resolve(signal);
      } else if (Date.now() - firstAt > ECHO_MS) process.exit(signal === "SIGINT" ? 130 : 143);
    };
    process.on("SIGTERM", hear).on("SIGINT", hear);
  });
}
