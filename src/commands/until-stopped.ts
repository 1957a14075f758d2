/** Signals this close together count as one: npm forwards the Ctrl-C that the terminal also sends. */
const SAME_SIGNAL_MS = 500;

/** Resolves at the first SIGTERM or SIGINT. A second one ends the process at once. */
export function untilStopped(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      if (firstAt === undefined) {
        firstAt = Date.now();
        resolve(signal);
      } else if (Date.now() - firstAt > SAME_SIGNAL_MS) process.exit(signal === "SIGINT" ? 130 : 143);
    };
    process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  });
}
