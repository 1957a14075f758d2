import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../src/platform/package-root.ts";
import { aimWords, isReached, type KeptResult, keptResults } from "./result.ts";

/** The benches of the report, in its order. */
export const REPORTED = [
  "reads",
  "growth",
  "memory",
  "start",
  "mcp",
  "a2a",
  "submission",
  "checker",
  "webhooks",
  "sitemap",
  "watches",
  "identify",
  "reads-postgres",
  "nodes",
] as const;

const INTRODUCTION = `# Performance

What the product costs, beside what others cost who do the same work. \`npm run bench -- report\` has written this page from the
latest run of each bench; nothing in it is written by hand. CPU is that of the server's process, user and system. Where there are
contenders, they take turns in short rounds, so that other load on the machine affects all of them alike. Machines differ: the
ratios are what to compare.
`;

/** Writes docs/performance.md. @returns the benches that have no result in this folder */
export function writeReport(): string[] {
  const results = new Map(keptResults().map((one) => [one.bench, one]));
  const found = REPORTED.flatMap((name) => results.get(name) ?? []);
  writeFileSync(join(packageRoot, "docs/performance.md"), reportOf(found));
  return REPORTED.filter((name) => !results.has(name));
}

export function reportOf(results: readonly KeptResult[]): string {
  const short = results.flatMap(({ bench, aims }) =>
    aims.filter((aim) => !isReached(aim)).map((aim) => `- ${aimWords(aim)} (\`npm run bench -- ${bench}\`)`),
  );
  const lines = short.length === 0 ? ["Every aim is reached."] : short;
  return [INTRODUCTION, `## What falls short\n\n${lines.join("\n")}\n`, ...results.map(sectionOf)].join("\n");
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
