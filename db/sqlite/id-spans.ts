/** Some of the ids from `first` to `last`: those whose byte in `chosen` is 1. */
interface IdSpan {
  readonly first: number;
  readonly last: number;
  readonly chosen: Buffer;
}

/**
 * Most ids that may be left out between two ids of a span. In a larger gap, to find the next row by its key is quicker than to
 * pass over the rows.
 */
const LEFT_OUT = 64;

/** Ids in any order, without repetition, as spans of the table: ids of one step are near each other. */
export function spansOf(ids: readonly number[]): IdSpan[] {
  const ascending = [...ids].sort((one, other) => one - other);
  const spans: IdSpan[] = [];
  for (let from = 0, to = 0; from < ascending.length; from = to) {
    for (to = from + 1; to < ascending.length && ascending[to]! - ascending[to - 1]! <= LEFT_OUT; ) to++;
    const first = ascending[from]!;
    const last = ascending[to - 1]!;
    const chosen = Buffer.alloc(last - first + 1);
    for (let at = from; at < to; at++) chosen[ascending[at]! - first] = 1;
    spans.push({ first, last, chosen });
  }
  return spans;
}
