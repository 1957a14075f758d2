import { expect, test } from "vitest";
import type { EventData } from "../../../../src/domain/events/types.ts";
import type { Move } from "../../../../src/domain/projects/move.ts";
import { eventsOfMoves } from "../../../../src/domain/projects/project-events.ts";
import type { ProjectRow } from "../../../../src/domain/projects/read.ts";

const project = { id: "prj_0123456789abc" } as ProjectRow;
const many = (count: number, first = 0) => Array.from({ length: count }, (_, n) => first + n);
const eventsOf = (moves: readonly Move[]) => eventsOfMoves(project, moves, 7);

test("links that are sent or wait make no event", () => {
  expect(eventsOf([{ positions: [0], from: "waiting", to: "checking" }])).toEqual([]);
  expect(eventsOf([{ positions: [0], from: "waiting", to: "waiting", patch: { warnings: "x" } }])).toEqual([]);
  expect(eventsOf([{ positions: [], from: "checking", to: "indexed" }])).toEqual([]);
});

test("a step is one event, with complete counts, at most 100 ids of each state, and under 20 KB", () => {
  const events = eventsOf([
    { positions: many(300, 9_000), from: "checking", to: "indexed" },
    { positions: many(150, 9_300), from: "checking", to: "not_indexed", patch: { error: "no_match" } },
    { positions: many(20, 9_450), from: "checking", to: "not_indexed", patch: { error: "noindex" } },
    { positions: many(120, 9_500), from: "waiting", to: "failed", patch: { error: "cancelled" } },
  ]);
  expect(events).toMatchObject([
    { type: "links.settled", data: { counts: { indexed: 300, not_indexed: 170, failed: 120 }, credits_returned: 7 } },
  ]);
  const { links } = events[0]!.data as EventData["links.settled"];
  expect(Object.values(links).map((ids) => ids.length)).toEqual([100, 100, 100]);
  expect(links.indexed[0]).toBe("lnk_0123456789abc_9000");
  expect(JSON.stringify(events[0]).length).toBeLessThan(20_000);
});

test("links that Google had and has no more are dropped, whether their credits come back or not", () => {
  const events = eventsOf([
    { positions: [1, 2], from: "indexed", to: "indexed", dropped: "noindex" },
    { positions: [3], from: "indexed", to: "not_indexed", patch: { error: "dropped" }, dropped: "dropped" },
  ]);
  expect(events).toMatchObject([
    { type: "links.settled", data: { counts: { indexed: 0, not_indexed: 1, failed: 0 } } },
    { type: "links.dropped", data: { count: 3, reasons: { noindex: 2, dropped: 1 } } },
  ]);
});
