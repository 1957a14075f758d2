import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { SCRIPTS, script } from "../../../../src/surfaces/website/assets.ts";

test.each(SCRIPTS)("law: the script %s is at most 8 KB compressed", (name) => {
  expect(gzipSync(script(name).text).length).toBeLessThanOrEqual(8 * 1024);
});
