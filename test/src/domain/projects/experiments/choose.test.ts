import { expect, test } from "vitest";
import { chooseHeld, heldCount } from "../../../../../src/domain/projects/experiments/choose.ts";

const list = (sizes: Readonly<Record<string, number>>) =>
  Object.entries(sizes).flatMap(([folder, size]) =>
    Array.from({ length: size }, (_, at) => `https://example.com/${folder}/${at}`),
  );

test("law: as many as asked for, and of each folder its share, give or take one", () => {
  const sizes = { blog: 137, shop: 411, help: 3, about: 1, news: 98 };
  const urls = list(sizes);
  for (let seed = 0; seed < 40; seed++)
    for (const percent of [5, 20, 33, 50]) {
      const held = heldCount(urls.length, percent);
      const chosen = chooseHeld(urls, held, `seed ${seed}`);
      expect([chosen.length, new Set(chosen).size]).toEqual([held, held]);
      expect(chosen).toEqual(chosen.toSorted((a, b) => a - b));
      for (const [folder, size] of Object.entries(sizes)) {
        const own = chosen.filter((position) => urls[position]!.includes(`/${folder}/`)).length;
        expect(Math.abs(own - (size * held) / urls.length), folder).toBeLessThan(1);
      }
    }
});

test("law: the seed and the pages decide, and not their order", () => {
  const urls = list({ a: 60, b: 40 });
  const of = (some: readonly string[], seed: string) => chooseHeld(some, 20, seed).map((position) => some[position]!);
  expect(of(urls.toReversed(), "one").sort()).toEqual(of(urls, "one").sort());
  expect(of(urls, "two").sort()).not.toEqual(of(urls, "one").sort());
});

test("law: each page has the same chance, in a folder of its own, too", () => {
  const urls = [...list({ a: 30, b: 9 }), "https://example.com/", "https://www.example.com/"];
  const times = urls.map(() => 0);
  const seeds = 4_000;
  for (let seed = 0; seed < seeds; seed++) for (const at of chooseHeld(urls, 10, `${seed}`)) times[at]! += 1;
  const chance = 10 / urls.length;
  const spread = Math.sqrt((chance * (1 - chance)) / seeds);
  for (const count of times) expect(Math.abs(count / seeds - chance)).toBeLessThan(4 * spread);
});

test.each([
  [100, 20, 20],
  [98, 20, 20],
  [97, 20, 19],
  [10_000, 50, 5_000],
  [40, 50, 20],
])("of %i URLs %i percent are %i", (urls, percent, held) => {
  expect(heldCount(urls, percent)).toBe(held);
});
