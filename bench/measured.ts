/**
 * Makes this process a server to measure: it reports its facts once, and its CPU time whenever the parent asks.
 * @param facts what the parent needs to call it, such as its address
 */
export function measured(facts: { readonly address: string } & Record<string, unknown>): void {
  let from = process.cpuUsage();
  process.on("message", (message: "reset" | "read") => {
    const { user, system } = process.cpuUsage(from);
    if (message === "reset") from = process.cpuUsage();
    process.send!({ cpuUs: user + system });
  });
  process.on("disconnect", () => process.exit());
  process.send!(facts);
}
