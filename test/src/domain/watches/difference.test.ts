import { describe, expect, test } from "vitest";
import { differenceOf, rememberedDate } from "../../../../src/domain/watches/difference.ts";
import { type KnownPage, KnownPages } from "../../../../src/domain/watches/known-pages.ts";
import { DAY, SECOND } from "../../../../src/platform/clock.ts";
import { hashUrls } from "../../../../src/platform/urls/urls.ts";

/** A time in seconds, and the same in ms. */
const THEN = 1_800_000_000;
const NOW = THEN * SECOND;

const urlOf = (name: string) => `https://example.com/${name}`;

function hashOf(name: string): [number, number] {
  const hash = hashUrls([urlOf(name)]);
  return [hash.readUInt32LE(0), hash.readUInt32LE(4)];
}

/** Pages by name, each as it is known or, in a listing, with its date. */
async function known(pages: Readonly<Record<string, Partial<KnownPage>>>): Promise<KnownPages> {
  const all = await KnownPages.empty().copy(Object.keys(pages).length);
  for (const [name, page] of Object.entries(pages))
    all.add(...hashOf(name), { modified: 0, state: "taken", since: 0, ...page });
  return all;
}

async function differenceTo(
  before: Readonly<Record<string, Partial<KnownPage>>>,
  listed: Readonly<Record<string, number>>,
  isComplete = true,
) {
  const names = Object.keys(listed);
  const listing = { urls: names.map(urlOf), modified: Uint32Array.from(Object.values(listed)), isComplete };
  const { fresh, removed, hashes, ...more } = await differenceOf(listing, await known(before), NOW);
  expect([...hashes]).toEqual(names.flatMap(hashOf));
  const nameOf = (index: number) => names[index];
  return {
    ...{ fresh: [...fresh].map(nameOf), changed: more.changed.map(nameOf), corrected: more.corrected.map(nameOf) },
    ...{ waitingNew: more.waitingNew.map(nameOf), waitingChanged: more.waitingChanged.map(nameOf) },
    ...{ removed: removed.map((page) => Object.keys(before)[page]), same: more.same, known: more.known },
  };
}

const NOTHING = { fresh: [], changed: [], corrected: [], waitingNew: [], waitingChanged: [], removed: [] };

describe("a page of the sitemap", () => {
  test.each([
    ["that was not known is new", {}, 0, { fresh: ["a"], same: 0, known: 0 }],
    ["with the date that is known is the same", { a: { modified: 5 } }, 5, { same: 1, known: 1 }],
    ["with a later date has changed", { a: { modified: 5 } }, 6, { changed: ["a"], same: 0, known: 1 }],
    ["with an earlier date is the same", { a: { modified: 5 } }, 4, { same: 1, known: 1 }],
    ["whose date is gone is the same", { a: { modified: 5 } }, 0, { same: 1, known: 1 }],
    ["with its first date is the same, and its date is noted", { a: {} }, 5, { corrected: ["a"], same: 1, known: 1 }],
    ["still without a date is the same", { a: {} }, 0, { same: 1, known: 1 }],
    ["with the date of this second has changed", { a: { modified: 5 } }, THEN, { changed: ["a"], same: 0, known: 1 }],
    ["with a date of the future is the same", { a: { modified: 5 } }, THEN + 1, { same: 1, known: 1 }],
    ["that was gone is back, and nothing else", { a: { state: "gone" } }, 0, { corrected: ["a"], same: 1, known: 0 }],
    [
      "that was gone and is back with a later date has changed",
      { a: { state: "gone", modified: 5 } },
      6,
      { changed: ["a"], same: 0, known: 0 },
    ],
    [
      "that was gone before it was taken is new",
      { a: { state: "gone_untaken", modified: 5 } },
      6,
      { fresh: ["a"], same: 0, known: 0 },
    ],
    [
      "that waits to be taken waits on, whatever its date",
      { a: { state: "waits_as_new", modified: 5 } },
      6,
      { waitingNew: ["a"], same: 0, known: 1 },
    ],
    [
      "that waits as changed waits on, whatever its date",
      { a: { state: "waits_as_changed", modified: 5 } },
      6,
      { waitingChanged: ["a"], same: 0, known: 1 },
    ],
  ] as const)("%s", async (_, before, date, difference) => {
    expect(await differenceTo(before, { a: date })).toEqual({ ...NOTHING, ...difference });
  });
});

test("law: a page that is not listed any more is removed, unless it was gone, or the sitemap could not be read to its end", async () => {
  const before = {
    a: {},
    b: { state: "gone" },
    c: { state: "gone_untaken" },
    d: { state: "waits_as_new" },
    e: {},
  } as const;
  expect(await differenceTo(before, { e: 0 })).toEqual({ ...NOTHING, removed: ["a", "d"], same: 1, known: 3 });
  expect(await differenceTo(before, { e: 0 }, false)).toEqual({ ...NOTHING, same: 1, known: 3 });
});

test("law: what has waited longest comes first, and together it comes in the order of the sitemap", async () => {
  const waits = (state: KnownPage["state"]) => ({
    a: { state, since: 3 },
    b: { state, since: 1 },
    c: { state, since: 3 },
  });
  const listed = { c: 0, a: 0, b: 0 };
  expect((await differenceTo(waits("waits_as_new"), listed)).waitingNew).toEqual(["b", "c", "a"]);
  expect((await differenceTo(waits("waits_as_changed"), listed)).waitingChanged).toEqual(["b", "c", "a"]);
});

test("law: a long sitemap is compared to its last page", async () => {
  const names = Array.from({ length: 1_100 }, (_, at) => `${at}`);
  const before = Object.fromEntries(names.map((name) => [name, { modified: 5 }]));
  const listed = Object.fromEntries([...names.slice(1), "new"].map((name) => [name, name === "1099" ? 6 : 5]));
  expect(await differenceTo(before, listed)).toEqual({
    ...NOTHING,
    ...{ fresh: ["new"], changed: ["1099"], removed: ["0"], same: 1_098, known: 1_100 },
  });
});

test.each([
  ["a later date", 6, 5, 6],
  ["never an earlier one", 4, 5, 5],
  ["none", 0, 0, 0],
  ["a date of the next 24 hours, as of another time zone", THEN + DAY / SECOND, 5, THEN + DAY / SECOND],
  ["the time of the reading for a date beyond that", THEN + DAY / SECOND + 1, 5, THEN],
] as const)("the date that is remembered: %s", (_, modified, before, date) => {
  expect(rememberedDate(modified, before, NOW + 999)).toBe(date);
});
