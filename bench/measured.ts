import "./report-cpu.mjs";

/**
 * Makes this process a server to measure: it reports its facts once, and its CPU time whenever the parent asks.
 * @param facts what the parent needs to call it, such as its address
 */
export function measured(facts: { readonly address: string } & Record<string, unknown>): void {
  process.send!(facts);
}
