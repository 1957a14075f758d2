import { describe, expect, test } from "vitest";
import { chooseHeld } from "../../../../../src/domain/projects/experiments/choose.ts";
import { type Arm, compare } from "../../../../../src/domain/projects/experiments/compare.ts";

const arm = (found: number, notFound: number, unknown = 0): Arm => ({ n: found + notFound + unknown, found, notFound });

test.each([
  ["helped", arm(120, 40), arm(20, 20)],
  ["hurt", arm(80, 80), arm(36, 4)],
  ["no_difference_seen", arm(500, 500), arm(500, 500)],
  ["cannot_tell", arm(50, 50), arm(50, 50)],
  ["cannot_tell", arm(60, 40), arm(50, 50)],
] as const)("%s: %o against %o", (verdict, sent, held) => {
  expect(compare(sent, held).verdict).toBe(verdict);
});

test("where an arm has no answer, nothing is said", () => {
  const nothing = { difference: null, low: null, high: null, p: null, smallestLift: null, verdict: "cannot_tell" };
  expect(compare(arm(80, 20), arm(0, 0, 20))).toEqual(nothing);
  expect(compare(arm(0, 0, 80), arm(10, 10))).toEqual(nothing);
});

test("at none and at all found, the interval has a width", () => {
  for (const [sent, held] of [
    [arm(0, 80), arm(0, 20)],
    [arm(80, 0), arm(20, 0)],
  ] as const) {
    const { difference, low, high, p } = compare(sent, held);
    expect([difference, p]).toEqual([0, expect.closeTo(1)]);
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
  }
  const apart = compare(arm(80, 0), arm(0, 20));
  expect(apart).toMatchObject({ difference: 1, verdict: "helped" });
  expect(apart.low! < 1 && apart.high === 1).toBe(true);
});

test("p is given where a count is below five, and an effect is said only if it agrees", () => {
  expect(compare(arm(75, 5), arm(15, 5)).p).toBeNull();
  expect(compare(arm(76, 4), arm(15, 5)).p).toBeGreaterThan(0);
  for (let found = 0; found <= 20; found++)
    for (let sent = 0; sent <= 80; sent++) {
      const { p, low, high, verdict } = compare(arm(sent, 80 - sent), arm(found, 20 - found));
      if (verdict === "helped") expect(low! > 0 && (p === null || p < 0.05)).toBe(true);
      if (verdict === "hurt") expect(high! < 0 && (p === null || p < 0.05)).toBe(true);
    }
});

test("pages of which nobody knows count in neither share", () => {
  const known = compare(arm(120, 40), arm(20, 20));
  expect(compare(arm(120, 40, 37), arm(20, 20, 9))).toEqual(known);
});

/** Numbers from 0 to 1 by a seed (mulberry32). */
function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Folders whose pages differ in how often Google finds them by itself. */
const FOLDERS = { blog: [90, 0.5], shop: [150, 0.2], docs: [60, 0.65] } as const;
const urls = Object.entries(FOLDERS).flatMap(([folder, [size]]) =>
  Array.from({ length: size }, (_, at) => `https://example.com/${folder}/${at}`),
);
const chanceOf = (url: string) => FOLDERS[url.split("/")[3] as keyof typeof FOLDERS][1];

/** An experiment on a site where sending adds `effect` to the chance of each page. */
function simulated(seed: number, effect: number, isHeld: ReadonlySet<number>) {
  const random = randomBy(seed);
  const counts = { sent: [0, 0], held: [0, 0] };
  urls.forEach((url, position) => {
    const which = isHeld.has(position) ? "held" : "sent";
    const chance = chanceOf(url) + (which === "sent" ? effect : 0);
    counts[which][random() < chance ? 0 : 1]! += 1;
  });
  const [sent, control] = [counts.sent, counts.held].map(([found, missing]) => arm(found!, missing!));
  return compare(sent!, control!);
}

describe.each([60, 150])("1,000 experiments with %i of 300 pages held out", (held) => {
  const drawn = Array.from({ length: 1_000 }, (_, seed) => new Set(chooseHeld(urls, held, `${seed}`)));
  const run = (effect: number) => drawn.map((isHeld, seed) => simulated(seed, effect, isHeld));
  const share = (all: readonly unknown[]) => all.length / 1_000;

  test.each([-0.1, 0, 0.1, 0.25])("law: the interval holds the true effect of %f in at least 93 %", (effect) => {
    const holding = run(effect).filter(({ low, high }) => low! <= effect && effect <= high!);
    expect(share(holding)).toBeGreaterThanOrEqual(0.93);
  });

  test("law: without an effect, one is said in at most 5 %", () => {
    const said = run(0).filter(({ verdict }) => verdict === "helped" || verdict === "hurt");
    expect(share(said)).toBeLessThanOrEqual(0.05);
    expect(share(said.filter(({ verdict }) => verdict === "helped"))).toBeLessThanOrEqual(0.05);
  });

  test("law: an effect of the smallest lift that is named is said in about four of five", () => {
    const lift = simulated(1, 0, drawn[1]!).smallestLift!;
    const helped = run(lift).filter(({ verdict }) => verdict === "helped");
    expect(share(helped)).toBeGreaterThan(0.7);
  });
});
