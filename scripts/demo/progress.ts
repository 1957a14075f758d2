import type { Project } from "./agent.ts";

const STATES = ["waiting", "checking", "indexed", "not_indexed", "failed"] as const;
const WIDTH = 40;

/** Shows how many links are in each state: one line per state, drawn in place on a terminal; elsewhere a line a day. */
export function progressOn(stream: NodeJS.WriteStream) {
  let drawn = 0;
  let lastDay = -1;
  return (projects: readonly Project[], days: number) => {
    const lines = [`day ${days.toFixed(1)}`, ...STATES.map((state) => barOf(projects, state))];
    if (stream.isTTY) {
      stream.write(`${drawn > 0 ? `\x1b[${drawn}A` : ""}${lines.map((line) => `\x1b[2K${line}\n`).join("")}`);
      drawn = lines.length;
    } else if (Math.floor(days) !== lastDay) {
      lastDay = Math.floor(days);
      const counts = STATES.map((state) => `${sum(projects, state)} ${state.replace("_", " ")}`);
      stream.write(`day ${String(lastDay).padStart(2)}: ${counts.join(", ")}\n`);
    }
  };
}

function barOf(projects: readonly Project[], state: (typeof STATES)[number]): string {
  const count = sum(projects, state);
  const filled = Math.round((WIDTH * count) / Math.max(1, sum(projects, "total")));
  return `  ${state.replace("_", " ").padEnd(12)}${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${count}`;
}

function sum(projects: readonly Project[], state: keyof Project["counts"]): number {
  return projects.reduce((total, { counts }) => total + counts[state], 0);
}
