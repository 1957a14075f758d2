import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../src/platform/package-root.ts";
import { missingTests, testsNamedIn } from "./support/checks/named-tests.ts";

const text = readFileSync(join(packageRoot, "docs/threat-model.md"), "utf8");
const [protections = "", open = ""] = text.split(/^## What is not protected$/m);

/** Each asset, with what stands under its heading. */
const assets = protections.split(/^## /m).slice(1);

const rowsOf = (asset: string) => asset.split("\n").filter((line) => /^\| (?!threat|-)/.test(line));

test.each(assets.map((asset) => [asset.split("\n")[0]!, asset] as const))(
  "%s: every protection has a test that exists",
  (_, asset) => {
    const rows = rowsOf(asset);
    expect(rows.length).toBeGreaterThan(1);
    const untested = rows.filter((row) => testsNamedIn(row).length === 0);
    expect(untested, "name a test, or move the threat to “What is not protected”").toEqual([]);
    expect(missingTests(testsNamedIn(asset)), "correct the path or the title in docs/threat-model.md").toEqual([]);
  },
);

test("every asset names who threatens it, and the document lists what is not protected", () => {
  for (const asset of assets) expect(asset).toMatch(/^Threatened by /m);
  expect(assets.length).toBeGreaterThanOrEqual(10);
  expect(open.match(/^- \*\*/gm)?.length).toBeGreaterThan(5);
});
