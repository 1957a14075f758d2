import type { Project } from "./agent.ts";

const COLUMNS: readonly (readonly [string, (project: Project) => number])[] = [
  ["urls", ({ counts }) => counts.total],
  ["indexed", ({ counts }) => counts.indexed],
  ["not indexed", ({ counts }) => counts.not_indexed],
  ["failed", ({ counts }) => counts.failed],
  ["spent", ({ credits_spent }) => credits_spent],
  ["returned", ({ credits_returned }) => credits_returned],
];

/** The outcome of the projects as a table: a line for each and one for all of them. */
export function tableOf(projects: readonly Project[]): string {
  const rows = projects.map((project) => [project.name, ...COLUMNS.map(([, read]) => read(project))]);
  const total = COLUMNS.map(([, read]) => projects.reduce((sum, project) => sum + read(project), 0));
  const all = [["project", ...COLUMNS.map(([name]) => name)], ...rows, ["total", ...total]].map((row) =>
    row.map(String),
  );
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const lines = all.map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))));
  const rule = "─".repeat(widths.reduce((sum, width) => sum + width + 2, -2));
  const [head, ...body] = lines.map((cells) => cells.join("  "));
  return [head, rule, ...body.slice(0, -1), rule, body.at(-1)].join("\n");
}

export function totalsOf(projects: readonly Project[]): Record<string, number> {
  return Object.fromEntries(
    COLUMNS.map(([name, read]) => [name.replace(" ", "_"), projects.reduce((sum, project) => sum + read(project), 0)]),
  );
}
