import fc from "fast-check";
import { expect, it } from "vitest";
import { type NextStep, type ObservationFact, Partition } from "../../../../src/indexing/checker/partition.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";

const few = <const T>(...values: T[]) => fc.constantFrom(...values);

const fields = {
  lane: few("google", "bing"),
  action: few("check", "send"),
  stage: few("day_4", "day_14"),
  dueAt: few(1, 2),
  negatives: few(0, 1),
  tries: few(0, 1),
  availableMs: few(0, 1),
  checkedAt: few(null, 1),
} satisfies { [Field in keyof Required<NextStep>]: fc.Arbitrary<NextStep[Field]> };

const steps = fc.record(fields, { requiredKeys: ["action", "stage", "dueAt"] }) as fc.Arbitrary<NextStep>;

const observations = fc.record({
  result: few("indexed", "unknown"),
  provider: few("one", "two"),
  method: few("search", "site"),
  reason: few(null, "match", "timeout"),
  counts: few(null, { queries: 1 }, { queries: 1, results: 2 }, { results: 2, queries: 1 }, { queries: 2 }),
} satisfies { [Field in keyof ObservationFact]: fc.Arbitrary<unknown> }) as fc.Arbitrary<ObservationFact>;

type Change = Parameters<Partition["move"]>[1];

const changes = fc.record({
  from: few("waiting", "checking"),
  to: few("checking", "failed"),
  patch: few({}, { error: "a" }, { error: null }, { sentAt: 1 }, { sentAt: 1, error: "a" }),
  dropped: few("noindex", "deindexed"),
} satisfies { [Field in keyof Required<Change>]: fc.Arbitrary<unknown> }) as fc.Arbitrary<Change>;

/** Positions by deep equality, slowly. */
function groupsOf<Fact extends object>(facts: readonly Fact[]): (Fact & { positions: number[] })[] {
  const groups: (Fact & { positions: number[] })[] = [];
  facts.forEach((fact, position) => {
    const alike = groups.find(({ positions: _, ...rest }) => {
      try {
        expect(rest).toEqual(fact);
        return true;
      } catch {
        return false;
      }
    });
    if (alike) alike.positions.push(position);
    else groups.push({ ...fact, positions: [position] });
  });
  return groups;
}

it("links share a group exactly when all their facts are equal, however many groups there are", () => {
  const links = fc.array(fc.tuple(steps, observations, changes), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(links, (facts) => {
      const partition = new Partition();
      facts.forEach(([step, observation, change], position) => {
        partition.observed(position, observation);
        partition.move(position, change);
        partition.next(position, step);
      });
      const result = partition.result(facts.map((_, position) => position));
      expect(result.next).toEqual(groupsOf(facts.map(([step]) => step)));
      expect(result.observations).toEqual(groupsOf(facts.map(([, observation]) => observation)));
      expect(result.moves).toEqual(groupsOf(facts.map(([, , change]) => change)));
    }),
    { numRuns: fuzzRuns(50), seed: 1 },
  );
});

it("a link without an end, or with two, is an error", () => {
  const partition = new Partition();
  partition.done(0);
  expect(() => partition.done(0)).toThrow("link 0 was decided twice");
  expect(() => partition.result([0, 1])).toThrow("missing 1");
});
