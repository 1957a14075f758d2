import type { MoveProgress } from "../../db/move.ts";
import { isPostgres, shownAddress, sqlitePath } from "../../db/open.ts";
import { type AuditReport, audit } from "../domain/audit/audit.ts";
import type { Config } from "../platform/config/config.ts";
import { databaseUrlProblem } from "../platform/config/database.ts";
import { formatNumber, formatSeconds } from "../platform/format.ts";
import { auditReport } from "./audit-report.ts";
import { defineCommand, UsageError } from "./command.ts";
import { type SealedReport, sealedReport } from "./sealed-report.ts";
import { fileOf } from "./values.ts";

/** How often progress is printed, in ms. */
const PROGRESS_MS = 1_000;
const DEFAULT_FILE = "file:./data/beckon.db";

export default defineCommand({
  name: "move",
  about: "Copy a SQLite database to an empty PostgreSQL database, and verify that both are equal",
  detail: [
    "Stop the service first: no other program may have the file open, and it needs the schema of this version. All tables are copied in one transaction, compared by",
    "count and SHA-256 on both sides, and audited before it commits; if anything is wrong, the transaction is rolled back. The",
    "file stays as it is, but is marked as moved, and no service starts on it any more.",
  ].join("\n"),
  options: {
    to: { value: "URL", about: "Target: postgres://USER:PASSWORD@HOST:5432/DATABASE; default: DATABASE_URL" },
    from: { value: "FILE", about: `The SQLite file; default: the file of DATABASE_URL, or ${DEFAULT_FILE}` },
    force: { about: "Move a database whose audit fails" },
  },
  examples: ["move --from data/beckon.db --to postgres://beckon:PASSWORD@db.example.com/beckon"],
  async run(options, { config, progress }) {
    const { from, to } = sourceAndTarget(options, config);
    const startedAt = performance.now();
    let report: AuditReport | undefined;
    let sealed: SealedReport | undefined;
    const { moveDatabase } = await import("../../db/move.ts");
    const tables = await moveDatabase({
      from,
      to,
      progress: progressPrinter(progress),
      async prove(arrived) {
        report = await audit(arrived);
        sealed = await sealedReport(arrived, { ...config, databaseUrl: to });
        if (report.ok || options.force) return;
        const problems = report.problems.join("\n  ");
        throw new Error(
          `The audit of ${from} found problems, and nothing was moved; --force moves it anyway.\n  ${problems}`,
        );
      },
    });
    const ms = Math.round(performance.now() - startedAt);
    const { data, text } = auditReport(report!);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const shown = shownAddress(to);
    const { total, unreadable, text: sealedText } = sealed!;
    const result = {
      ok: data.ok,
      from,
      to: shown,
      rows,
      seconds: ms / 1_000,
      tables,
      audit: data,
      sealed: { total, unreadable },
    };
    const words = [
      `Moved ${formatNumber(rows)} rows of ${tables.length} tables to ${shown} in ${formatSeconds(ms)}; counts and checksums are equal.`,
      text,
      ...(sealedText === "" ? [] : [sealedText]),
      `${from} is marked as moved. Set DATABASE_URL to the new database and start the service.`,
    ];
    return { data: result, text: words.join("\n"), exitCode: data.ok ? 0 : 1 };
  },
});

function sourceAndTarget(options: { from: string | undefined; to: string | undefined }, config: Config) {
  const isTarget = isPostgres(config.databaseUrl);
  const to = options.to ?? (isTarget ? config.databaseUrl : undefined);
  if (to === undefined) throw new UsageError("--to: name the target, as postgres://USER:PASSWORD@HOST:5432/DATABASE.");
  if (!isPostgres(to)) throw new UsageError("--to must be an address that begins postgres://.");
  const problem = databaseUrlProblem(to);
  if (problem) throw new UsageError(`--to ${problem}.`);
  const from =
    options.from === undefined
      ? sqlitePath(isTarget ? DEFAULT_FILE : config.databaseUrl)
      : fileOf("from", options.from);
  return { to, from };
}

/** Prints progress and speed once a second. */
function progressPrinter(print: (text: string) => void): (progress: MoveProgress) => void {
  let nextAt = performance.now() + PROGRESS_MS;
  let startedAt = performance.now();
  let current = "";
  return ({ doing, table, done, rows }) => {
    const now = performance.now();
    if (current !== doing + table) {
      current = doing + table;
      startedAt = now;
    }
    if (now < nextAt) return;
    nextAt = now + PROGRESS_MS;
    const rate = now > startedAt ? `, ${formatNumber(Math.round((done / (now - startedAt)) * 1_000))} rows/s` : "";
    print(`${doing} ${table}: ${formatNumber(done)} of ${formatNumber(rows)} rows${rate}`);
  };
}
