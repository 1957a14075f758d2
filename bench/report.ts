import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../src/platform/package-root.ts";
import { aimWords, isReached, type KeptResult, keptResults } from "./result.ts";

/** The benches of the report, in its order. */
export const REPORTED = [
  "install",
  "reads",
  "growth",
  "memory",
  "start",
  "mcp",
  "a2a",
  "submission",
  "stalls",
  "checker",
  "webhooks",
  "sitemap",
  "watches",
  "identify",
  "reads-postgres",
  "nodes",
] as const;

const INTRODUCTION = `# Performance

What the product costs, compared with others that do the same work. \`npm run bench -- report\` has written this page from the
latest run of each bench; nothing in it is written by hand. CPU is that of the server's process, user and system. Where there are
contenders, they take turns in short rounds, so that other load on the machine affects all of them alike. Machines differ: the
ratios are what to compare.
`;

/** What the report says of a bench. */
interface Part {
  readonly section: string;
  /** Lines about what falls short. */
  readonly short: readonly string[];
}

/** Writes docs/performance.md, where a bench without a result in this folder keeps its section. @returns those benches */
export function writeReport(): string[] {
  const file = join(packageRoot, "docs/performance.md");
  const results = keptResults();
  writeFileSync(file, reportOf(results, readFileSync(file, "utf8")));
  return REPORTED.filter((name) => !results.some(({ bench }) => bench === name));
}

/** @param before the report so far */
export function reportOf(results: readonly KeptResult[], before = ""): string {
  const parts = new Map([...partsOf(before), ...results.map((result) => [result.bench, partOf(result)] as const)]);
  const found = REPORTED.flatMap((name) => parts.get(name) ?? []);
  const short = found.flatMap((part) => part.short);
  const lines = short.length === 0 ? ["Every aim is reached."] : short;
  const sections = found.map(({ section }) => section);
  return [INTRODUCTION, `## What falls short\n\n${lines.join("\n")}\n`, ...sections].join("\n");
}

/** The parts of a report by their benches. */
function partsOf(report: string): Map<string, Part> {
  const [, short = "", ...sections] = report.split(/^## /m);
  return new Map(
    sections.map((section) => {
      const command = /`npm run bench -- [\w-]+`/.exec(section)![0];
      const lines = short.split("\n").filter((line) => line.endsWith(`(${command})`));
      return [command.slice("`npm run bench -- ".length, -1), { section: `## ${section.trim()}\n`, short: lines }];
    }),
  );
}

function partOf(result: KeptResult): Part {
  const short = result.aims
    .filter((aim) => !isReached(aim))
    .map((aim) => `- ${aimWords(aim)} (\`npm run bench -- ${result.bench}\`)`);
  return { section: sectionOf(result), short };
}

function sectionOf({ bench, title, about, rows, aims, date, machine, versions }: KeptResult): string {
  const reached = aims.filter(isReached).map((aim) => `- ${aimWords(aim)}`);
  return [
    `## ${title}\n`,
    `\`npm run bench -- ${bench}\`, ${date}: ${versions}; ${machine}.\n`,
    `${about}\n`,
    tableOf(rows),
    ...(reached.length === 0 ? [] : [`Reached:\n\n${reached.join("\n")}\n`]),
  ].join("\n");
}

function tableOf(rows: KeptResult["rows"]): string {
  const columns = [...new Set(Object.values(rows).flatMap((row) => Object.keys(row)))];
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [
    line(["", ...columns]),
    line(["---", ...columns.map(() => "---")]),
    ...Object.entries(rows).map(([name, row]) => line([name, ...columns.map((column) => row[column] ?? "")])),
    "",
  ].join("\n");
}
