/**
 * A server of a bench, in a process of its own: it measures itself when its parent asks, and says once where it is.
 * @param facts what the parent has to know, its address among it
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
