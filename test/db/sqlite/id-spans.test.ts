import { expect, test } from "vitest";
import { spansOf } from "../../../db/sqlite/id-spans.ts";

/** The ids of spans, as the statement finds them. */
const idsIn = (ids: readonly number[]) =>
  spansOf(ids).map(({ first, last, chosen }) => {
    expect(chosen).toHaveLength(last - first + 1);
    return [...chosen.entries()].flatMap(([at, isChosen]) => (isChosen === 1 ? [first + at] : []));
  });

test.each<[string, number[], number[][]]>([
  ["no ids: no span", [], []],
  ["one id: one row", [16_384], [[16_384]]],
  ["neighbours: one span", [1, 2, 3], [[1, 2, 3]]],
  ["every second one: one span", [2, 4, 6], [[2, 4, 6]]],
  ["any order: the same span", [6, 2, 4], [[2, 4, 6]]],
  ["64 apart: one span, 65 apart: two", [0, 64, 129], [[0, 64], [129]]],
  ["ids beyond 32 bits", [2 ** 52, 2 ** 52 + 2, 2 ** 53 - 1], [[2 ** 52, 2 ** 52 + 2], [2 ** 53 - 1]]],
])("%s", (_, ids, spans) => {
  expect(idsIn(ids)).toEqual(spans);
});

test("law: each id is in one span, and nothing is between two spans that is near one of them", () => {
  const ids = Array.from({ length: 500 }, (_, at) => at * at);
  const spans = idsIn(ids);
  expect(spans.flat()).toEqual(ids);
  for (const [at, span] of spans.entries()) {
    for (const [next, id] of span.entries()) if (next > 0) expect(id - span[next - 1]!).toBeLessThanOrEqual(64);
    if (at > 0) expect(span[0]! - spans[at - 1]!.at(-1)!).toBeGreaterThan(64);
  }
});
