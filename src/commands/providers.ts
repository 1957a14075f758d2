import { type Score, scoreboard } from "../indexing/providers/scoreboard.ts";
import { CHECK_DAYS } from "../platform/check-days.ts";
import { iso } from "../platform/clock.ts";
import { formatDollars, formatPercent } from "../platform/format.ts";
import { defineCommand, UsageError } from "./command.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "providers",
  about: "Show calls, results, cost and state of each provider",
  detail: `in Google: of the links that this provider was the last to submit to Google, the share that Google had on day ${CHECK_DAYS.final}. Days are calendar days in each provider's time zone.`,
  options: { days: { value: "N", about: "Number of days, 1 to 366; default 30" } },
  examples: ["providers --days 7"],
  async run({ days = "30" }, { config }) {
    const count = /^\d{1,3}$/.test(days) ? Number(days) : 0;
    if (count < 1 || count > 366) throw new UsageError(`--days: "${days}" is not a whole number from 1 to 366.`);
    return withInstance(config, async ({ db, clock }) => {
      const scores = await scoreboard(db, count, clock.service());
      return { data: { days: count, providers: scores.map(toJson) }, text: table(count, scores) };
    });
  },
});

function toJson({ heldUntil, cost, indexed, decided, ...score }: Score) {
  const rate = decided === 0 ? null : Math.round((1000 * indexed) / decided) / 10;
  return { ...score, decided, indexed, index_rate: rate, cost_usd: cost / 1_000_000, held_until: iso(heldUntil) };
}

const COLUMNS: readonly (readonly [head: string, cell: (score: Score) => string])[] = [
  ["provider", ({ provider }) => provider],
  ["calls", ({ calls }) => String(calls)],
  ["sent", ({ sent }) => String(sent)],
  ["accepted", ({ accepted }) => String(accepted)],
  ["refused", ({ rejected }) => String(rejected)],
  ["in Google", ({ decided, indexed }) => (decided === 0 ? "–" : formatPercent(indexed, decided))],
  ["lookups", ({ looks }) => String(looks)],
  ["unknown", ({ unknown }) => String(unknown)],
  ["errors", ({ errors }) => String(errors)],
  ["cost", ({ cost }) => formatDollars(cost / 10_000)],
  ["now", stateOf],
];

function stateOf({ ok, reason, heldUntil }: Score): string {
  const pause = heldUntil === null ? "" : `paused until ${iso(heldUntil)}`;
  if (ok) return pause || "ok";
  return [reason ?? "failing", pause].filter((part) => part !== "").join(", ");
}

function table(days: number, scores: readonly Score[]): string {
  if (scores.length === 0) return `No provider was called in the last ${days} days.`;
  const rows = [COLUMNS.map(([head]) => head), ...scores.map((score) => COLUMNS.map(([, cell]) => cell(score)))];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const isText = (column: number) => column === 0 || column === COLUMNS.length - 1;
  return rows
    .map((row) =>
      row
        .map((cell, column) => (isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
