import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { PICTURES, picture, SCRIPTS, script } from "../../../../../src/surfaces/website/shell/assets.ts";

/** The worker, which loads after the page and only where lists are typed, holds the parsers of XML and of tables. */
const LARGER: Readonly<Record<string, number>> = { "count-worker": 28 };

test.each(SCRIPTS.map((name) => [name, LARGER[name] ?? 8] as const))(
  "law: the script %s is at most %d KB compressed",
  (name, kilobytes) => {
    expect(gzipSync(script(name).body).length).toBeLessThanOrEqual(kilobytes * 1024);
  },
);

test.each(PICTURES)("law: the picture %s has a size, and is at most 60 KB if pages show it", (name) => {
  const { body, width, height } = picture(name);
  expect([width > 300 && width < 2_000, height > 300 && height < 2_000]).toEqual([true, true]);
  if (name.startsWith("project-")) expect(body.length).toBeLessThanOrEqual(60_000);
});
