import type { Tx } from "../../../db/engine.ts";
import { namedRows, placeholderRows } from "../../../db/placeholders.ts";
import { packPositions } from "../../platform/link-set.ts";

/** What the evidence of a step comes to, for links of its project. */
interface Verdict {
  readonly result: string;
  /** Why they are not indexed. */
  readonly reason: string | null;
  readonly positions: readonly number[];
}

/** A set of links with one verdict, as it is stored: result, reason, first position, bitmap in base64. */
export type StoredVerdict = readonly [result: string, reason: string | null, first: number, members: string];

/** Notes the verdicts of a step, to be counted (fold.ts). @param at service time */
export async function noteVerdicts(
  tx: Tx,
  { no: projectNo, bucket }: { readonly no: number; readonly bucket: number },
  verdicts: readonly Verdict[],
  at: number,
): Promise<void> {
  if (verdicts.length === 0) return;
  const stored = verdicts.map(({ result, reason, positions }): StoredVerdict => {
    const { first, members } = packPositions(positions);
    return [result, reason, first, members.toString("base64")];
  });
  const query = tx.prepared("note_verdicts", ({ q, t: { coverageChanges } }) =>
    q.insert(coverageChanges).values(placeholderRows(coverageChanges, 1)).returning({ id: coverageChanges.id }),
  );
  await query.execute(namedRows([{ bucket, projectNo, at, verdicts: JSON.stringify(stored) }]));
}
