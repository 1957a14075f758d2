import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { PICTURES, picture, SCRIPTS, script } from "../../../../../src/surfaces/website/shell/assets.ts";

test.each(SCRIPTS)("law: the script %s is at most 8 KB compressed", (name) => {
  expect(gzipSync(script(name).body).length).toBeLessThanOrEqual(8 * 1024);
});

test.each(PICTURES)("law: the picture %s has a size, and is at most 60 KB if pages show it", (name) => {
  const { body, width, height } = picture(name);
  expect([width > 300 && width < 2_000, height > 300 && height < 2_000]).toEqual([true, true]);
  if (name.startsWith("project-")) expect(body.length).toBeLessThanOrEqual(60_000);
});
