import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPORTED, reportOf } from "../bench/report.ts";
import { aimWords, isReached, type KeptResult } from "../bench/result.ts";
import { packageRoot } from "../src/platform/package-root.ts";

const read = (path: string) => readFileSync(join(packageRoot, path), "utf8");
const report = read("docs/performance.md");
const program = read("bench/run.ts");

const sample: KeptResult = {
  bench: "reads",
  title: "Reads",
  about: "How it was measured.",
  rows: { get_account: { ours: 20, peer: 10 }, get_link: { ours: 5, peer: 10, more: "x" } },
  aims: [
    { what: "get_account / peer", measured: 2, most: 1.7, unit: "×" },
    { what: "get_link / peer", measured: 0.5, most: 0.8, unit: "×" },
    { what: "links", measured: 200, least: 250, unit: "links/s" },
  ],
  date: "2026-11-23",
  machine: "2 × CPU, 8 GB",
  versions: "Beckon 1, Node.js 20",
};

test("the report compares each row with its peers, names date, machine and versions, and says first what falls short", () => {
  const text = reportOf([sample]);
  expect(text).toContain("| get_account | 20 | 10 |  |\n| get_link | 5 | 10 | x |");
  expect(text).toContain("`npm run bench -- reads`, 2026-11-23: Beckon 1, Node.js 20; 2 × CPU, 8 GB.");
  const [, short = ""] = text.split("## What falls short");
  expect(short.split("## ")[0]).toContain("- get_account / peer: 2 ×, aim ≤ 1.7 × (`npm run bench -- reads`)");
  expect(short.split("## ")[0]).toContain("- links: 200 links/s, aim ≥ 250 links/s (`npm run bench -- reads`)");
  expect(text.split("Reached:")[1]).toContain("- get_link / peer: 0.5 ×, aim ≤ 0.8 ×");
  expect(reportOf([{ ...sample, aims: [] }])).toContain("Every aim is reached.");
});

test("a bench that was not run here keeps its section and its shortfalls; a bench that was run has only the new section", () => {
  const other = { ...sample, bench: "checker", title: "The checker" };
  const before = reportOf([sample, other]);
  expect(reportOf([], before)).toBe(before);
  const again = {
    ...sample,
    date: "2026-11-24",
    aims: [{ what: "get_link / peer", measured: 0.4, most: 0.8, unit: "×" }],
  };
  expect(reportOf([again], before)).toBe(reportOf([again, other]));
});

test("an aim is reached at its bound", () => {
  const aim = { what: "x", measured: 1, unit: "ms" };
  expect([isReached({ ...aim, most: 1 }), isReached({ ...aim, most: 0.99 })]).toEqual([true, false]);
  expect([isReached({ ...aim, least: 1 }), isReached({ ...aim, least: 1.01 })]).toEqual([true, false]);
  expect(aimWords({ ...aim, least: 2 })).toBe("x: 1 ms, aim ≥ 2 ms");
  expect(aimWords({ ...aim, most: 3, unit: "" })).toBe("x: 1, aim ≤ 3");
});

test("every table of docs/performance.md names the bench that measured it, and there is one", () => {
  const sections = report.split(/^## /m).slice(2);
  expect(sections.length).toBeGreaterThan(2);
  for (const section of sections) {
    const name = /^`npm run bench -- ([\w-]+)`, \d{4}-\d\d-\d\d: Beckon .+, Node\.js .+;/m.exec(section)?.[1];
    expect(REPORTED, section.split("\n")[0]).toContain(name);
  }
});

test.each(REPORTED)("npm run bench -- %s measures, and keeps what it measured for the report", (name) => {
  expect(program).toContain(`what === "${name}"`);
  const measured = ["bench/reads/reads.ts", "bench/nodes.ts"].map(read).join("");
  expect(program + measured).toContain(`bench: "${name}"`);
});
