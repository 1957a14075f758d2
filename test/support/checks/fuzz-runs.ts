import { SeededRandom } from "../nodes/seeded-random.ts";

/** How much longer generated inputs are in this run than in `npm test`: `npm run test:deep` sets it. */
const DEEP = Number(process.env.DEEP ?? 1);

/** Whether this is a longer run. */
export const isDeep = DEEP > 1;

/** How often a property is tried: so often in `npm test`, and as many times more as `DEEP` says in a longer run. */
export function fuzzRuns(ordinary: number): number {
  return ordinary * DEEP;
}

/** How often something is done that takes seconds each time: not many times as often in a longer run. */
export function runsOf({ usually, deep }: { usually: number; deep: number }): number {
  return isDeep ? deep : usually;
}

/** So many rows of a table in `npm test`, chosen by a seed; all of them in a longer run. Their order stays. */
export function sampleOf<T>(table: readonly T[], count: number): readonly T[] {
  if (isDeep) return table;
  const random = new SeededRandom(count);
  let missing = count;
  return table.filter((_, at) => {
    const isChosen = random.between(1, table.length - at) <= missing;
    if (isChosen) missing -= 1;
    return isChosen;
  });
}
