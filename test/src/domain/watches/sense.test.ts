import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Difference } from "../../../../src/domain/watches/difference.ts";
import { KnownPages } from "../../../../src/domain/watches/known-pages.ts";
import { holdOf } from "../../../../src/domain/watches/sense.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

const pages = await (async () => {
  const all = await KnownPages.empty().copy(100);
  for (const at of numbers(100)) all.add(at, at + 1, { modified: 0, state: "taken", since: 0 });
  return all;
})();

interface Case {
  readonly known?: number;
  readonly fresh?: readonly number[];
  readonly changed?: readonly number[];
  readonly removed?: readonly number[];
  readonly changedPages?: "ignore" | "submit" | "notify";
}

function hold(
  { known = 20, fresh = [], changed = [], removed = [], changedPages = "notify" }: Case,
  host = "example.com",
) {
  const rest = { hashes: new Uint32Array(0), waitingNew: [], waitingChanged: [], corrected: [], same: 0 };
  const difference: Difference = { ...rest, known, fresh, changed, removed };
  const urls = numbers(100).map((at) => `https://${host}/${at}`);
  const listing = { urls, modified: new Uint32Array(100), isComplete: true };
  return holdOf({ listing, known: pages, difference }, { changedPages });
}

describe("a run is held", () => {
  test.each<[string, Case, string | null]>([
    ["30 % of the pages have vanished", { removed: numbers(6) }, "many_removed"],
    ["not when fewer have", { removed: numbers(5) }, null],
    ["more than half of them are new", { fresh: numbers(11) }, "many_new"],
    ["not when half of them are", { fresh: numbers(10) }, null],
    ["more than half of them have changed", { changed: numbers(11) }, "many_changed"],
    ["not when half of them have", { changed: numbers(10) }, null],
    ["pages that changed are to be submitted", { changed: numbers(11), changedPages: "submit" }, "many_changed"],
    ["not when nobody cares for changes", { changed: numbers(11), changedPages: "ignore" }, null],
    ["not when fewer than 20 pages were known", { known: 19, fresh: numbers(50), removed: numbers(19) }, null],
    [
      "what has vanished is told first",
      { removed: numbers(20), fresh: numbers(20), changed: numbers(20) },
      "many_removed",
    ],
    ["then what is new", { fresh: numbers(20), changed: numbers(20) }, "many_new"],
  ])("%s", async (_, given, expected) => {
    expect(await hold(given)).toEqual(expected && { reason: expected, digest: expect.any(String) });
  });
});

test("law: a release is for these pages alone: others, or the same ones in another part, have another digest", async () => {
  const digest = async (given: Case, host?: string) => (await hold({ removed: numbers(6), ...given }, host))!.digest;
  const base = { fresh: [1, 2], changed: [3] };
  const same = await digest(base);
  expect(await digest(base)).toBe(same);
  expect(same).toMatch(/^[0-9a-f]{64}$/);
  const others: [Case, string?][] = [
    [{ ...base, fresh: [1, 4] }],
    [{ ...base, fresh: [1], changed: [2, 3] }],
    [{ ...base, fresh: [1, 2, 3], changed: [] }],
    [{ ...base, changed: [4] }],
    [{ ...base, removed: numbers(7) }],
    [{ ...base, removed: [0, 1, 2, 3, 4, 6] }],
    [base, "example.org"],
  ];
  const digests = await Promise.all(others.map(([given, host]) => digest(given, host)));
  expect(new Set([same, ...digests]).size).toBe(others.length + 1);
});

test("law: a digest stays what it is, since a release is stored", async () => {
  const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");
  const url = (at: number) => `https://example.com/${at}\n`;
  const given = { fresh: [1], changed: [2], removed: numbers(6) };
  const removed = "6\n0,1\n1,2\n2,3\n3,4\n4,5\n5,6\n";
  expect((await hold(given))!.digest).toBe(digestOf(`1\n${url(1)}1\n${url(2)}${removed}`));
  expect((await hold({ ...given, changedPages: "ignore" }))!.digest).toBe(digestOf(`1\n${url(1)}0\n${removed}`));
});

test("law: pages that changed do not matter to a release where nobody cares for changes", async () => {
  const digest = async (changed: readonly number[]) =>
    (await hold({ removed: numbers(6), changed, changedPages: "ignore" }))!.digest;
  expect(await digest([1, 2])).toBe(await digest([]));
});
