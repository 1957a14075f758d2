import { type MoveProgress, moveDatabase, withoutPassword } from "../../db/move.ts";
import { isPostgres, openDatabase, sqlitePath } from "../../db/open.ts";
import { audit } from "../audit/audit.ts";
import type { Config } from "../config.ts";
import { auditReport } from "./audit-report.ts";
import { defineCommand, UsageError } from "./command.ts";

/** How often something is said of how far it is, in ms. */
const TELL_MS = 1_000;
const DEFAULT_FILE = "file:./data/beckon.db";

export default defineCommand({
  name: "move",
  about: "Copy a SQLite database into an empty PostgreSQL one, and prove both equal",
  detail: [
    "Stop the service first: nobody else may have the file open meanwhile. All tables go over in one transaction, are",
    "compared by count and SHA-256 on both sides, and are audited there; if anything is wrong, nothing stays. The file",
    "is left as it is, marked as moved, and no service starts on it any more.",
  ].join("\n"),
  options: {
    to: { value: "URL", about: "Where to, postgres://…; default: DATABASE_URL" },
    from: { value: "FILE", about: `Where from, file:…; default: DATABASE_URL, or ${DEFAULT_FILE}` },
  },
  async run(options, { config, tell }) {
    const { from, to } = ends(options, config);
    const began = performance.now();
    const tables = await moveDatabase({ from, to, progress: teller(tell) });
    const seconds = (performance.now() - began) / 1_000;
    tell("committed; the audit of the target …");
    const db = await openDatabase(to);
    const report = await audit(db).finally(() => db.close());
    const { data, text } = auditReport(report);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const shown = withoutPassword(to);
    const result = { ok: report.ok, from, to: shown, rows, seconds: Number(seconds.toFixed(3)), tables, audit: data };
    const words = [
      `Moved ${figure(rows)} rows of ${tables.length} tables to ${shown} in ${seconds.toFixed(1)} s; counts and checksums are equal.`,
      text,
      `${from} is marked as moved. Set DATABASE_URL to the new database and start the service.`,
    ];
    return { data: result, text: words.join("\n"), exitCode: report.ok ? 0 : 1 };
  },
});

function ends(options: { from: string | undefined; to: string | undefined }, config: Config) {
  const isThere = isPostgres(config.databaseUrl);
  const to = options.to ?? (isThere ? config.databaseUrl : undefined);
  const from = options.from ?? (isThere ? DEFAULT_FILE : config.databaseUrl);
  if (to === undefined) throw new UsageError("--to: say where to, as postgres://user:password@host/database.");
  if (!isPostgres(to) || !URL.canParse(to)) throw new UsageError("--to must be an address that begins postgres://.");
  if (!from.startsWith("file:")) throw new UsageError("--from must be a SQLite database, as file:./data/beckon.db.");
  return { to, from: sqlitePath(from) };
}

/** Says once a second how far it is, and how fast. */
function teller(tell: (text: string) => void): (progress: MoveProgress) => void {
  let next = performance.now() + TELL_MS;
  let began = performance.now();
  let what = "";
  return ({ doing, table, done, rows }) => {
    const now = performance.now();
    if (what !== doing + table) {
      what = doing + table;
      began = now;
    }
    if (now < next) return;
    next = now + TELL_MS;
    const rate = now > began ? `, ${figure(Math.round((done / (now - began)) * 1_000))} rows/s` : "";
    tell(`${doing} ${table}: ${figure(done)} of ${figure(rows)} rows${rate}`);
  };
}

function figure(count: number): string {
  return count.toLocaleString("en-US");
}
