import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { advisoriesIn, advisoryProblems } from "../../scripts/audit/advisories.ts";
import { expired, readExceptions } from "../../scripts/audit/exceptions.ts";
import { installedPackages, isAllowed, licenceProblems } from "../../scripts/audit/licences.ts";
import { packageRoot } from "../../src/platform/package-root.ts";

test("law: every installed package has a licence that is allowed, or an exception with a reason", () => {
  const packages = installedPackages();
  expect(packages.length).toBeGreaterThan(100);
  expect(licenceProblems(packages, readExceptions())).toEqual([]);
});

test("of the packages of the service none needs an install script, and only the bundler has one", () => {
  const { packages } = JSON.parse(readFileSync(join(packageRoot, "package-lock.json"), "utf8"));
  const entries = Object.entries(packages as Record<string, { dev?: boolean; hasInstallScript?: boolean }>);
  const scripted = entries.filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev);
  expect(scripted.map(([path]) => path).filter(Boolean)).toEqual(["node_modules/esbuild"]);
});

test.each([
  ["MIT", true],
  ["(MIT OR GPL-3.0-only)", true],
  ["GPL-3.0-only OR (Apache-2.0 AND BSD-3-Clause)", true],
  ["MIT AND GPL-3.0-only", false],
  ["(MIT", false],
  ["MIT OR", false],
  ["AGPL-3.0-or-later", false],
  ["SEE LICENSE IN LICENSE", false],
  ["UNLICENSED", false],
  ["", false],
])("licence %j is allowed: %s", (expression, allowed) => {
  expect(isAllowed(expression)).toBe(allowed);
});

const one = { name: "left", version: "1.0.0", licence: "GPL-3.0-only", isDevelopment: true };
const excepted = {
  package: "le*",
  licence: "GPL-3.0-only",
  reason: "It is used by a test alone.",
  until: "2030-01-01",
};

test("an exception is for one package with one licence, and only if the package is not shipped", () => {
  expect(licenceProblems([one], { licences: [excepted] })).toEqual([]);
  expect(licenceProblems([one], { licences: [] }).join()).toContain("left 1.0.0 is under GPL-3.0-only: not allowed");
  expect(licenceProblems([{ ...one, licence: "" }], { licences: [] }).join()).toContain("under no stated licence");
  expect(licenceProblems([{ ...one, licence: "AGPL-3.0-only" }], { licences: [excepted] })).toHaveLength(2);
  expect(licenceProblems([{ ...one, isDevelopment: false }], { licences: [excepted] }).join()).toContain("is shipped");
});

test("an exception that is unused or has expired is a problem", () => {
  expect(licenceProblems([], { licences: [excepted] }).join()).toContain("the exception for le* is not needed");
  const exceptions = { licences: [excepted], advisories: [] };
  expect(expired(exceptions, "2030-01-01")).toEqual([]);
  expect(expired(exceptions, "2030-01-02").join()).toContain("the exception for le* ended on 2030-01-01");
});

const REPORT = JSON.stringify({
  vulnerabilities: {
    left: {
      via: [
        { name: "left", severity: "high", title: "It hangs", url: "https://github.com/advisories/GHSA-aaaa-bbbb-cccc" },
      ],
    },
    right: { via: ["left"] },
  },
});

test("each advisory of a report is printed once, unless it has an exception", () => {
  const found = advisoriesIn(REPORT);
  expect(advisoryProblems(found, { advisories: [] })).toEqual(["left: It hangs (high, GHSA-aaaa-bbbb-cccc)"]);
  const exception = { package: "left", advisory: "GHSA-aaaa-bbbb-cccc", reason: "never called", until: "2030-01-01" };
  expect(advisoryProblems(found, { advisories: [exception] })).toEqual([]);
  expect(advisoryProblems(found, { advisories: [{ ...exception, package: "right" }] })).toHaveLength(1);
});

test.each([
  ['{"message": "405 Method Not Allowed"}', "405 Method Not Allowed"],
  ['{"error": {"summary": "ENOTFOUND"}}', "ENOTFOUND"],
  ["", "npm audit gave no answer in time"],
  ["<html>", "npm audit gave no answer in time"],
])("an unreadable report is a failure, and never counts as no advisories: %j", (text, reason) => {
  expect(() => advisoriesIn(text)).toThrow(reason);
});
