/** How often a property is tried: so often in `npm test`, and as many times more as `DEEP` says in a longer run. */
export function fuzzRuns(ordinary: number): number {
  return ordinary * Number(process.env.DEEP ?? 1);
}
