import { isPostgres, sqlitePath } from "../../db/open.ts";
import { type AuditReport, audit } from "../domain/audit/audit.ts";
import { readMode } from "../process/instance.ts";
import { auditReport } from "./audit-report.ts";
import { defineCommand } from "./command.ts";
import { type SealedReport, sealedReport } from "./sealed-report.ts";
import { fileOf } from "./values.ts";

export default defineCommand({
  name: "restore",
  about: "Replace the SQLite database with a backup",
  detail: [
    "Stop the service first. The backup is checked by SQLite and by the audit before anything changes, and stays where it is.",
    "The old database is kept next to the new one, with the time in its name. A database that the command move has moved to",
    "PostgreSQL is not replaced.",
  ].join("\n"),
  options: {
    from: { value: "FILE", about: "A file made by the command backup", required: true },
    force: { about: "Replace a database that is not empty, or use a backup whose audit fails" },
  },
  examples: ["restore --from /backups/beckon.db --force"],
  async run({ from, force }, { config }) {
    if (isPostgres(config.databaseUrl)) {
      throw new Error(
        "DATABASE_URL is PostgreSQL, which is restored by its own programs. The page /docs/operating has the commands.",
      );
    }
    const file = sqlitePath(config.databaseUrl);
    const backup = fileOf("from", from);
    if (backup === file) throw new Error("--from is the database that DATABASE_URL names.");
    let report: AuditReport | undefined;
    let sealed: SealedReport | undefined;
    const { restoreSqlite } = await import("../../db/sqlite/restore.ts");
    const kept = await restoreSqlite({
      from: backup,
      path: file,
      force,
      async prove(copy) {
        const mode = await copy.snapshot(readMode);
        if (mode !== null && mode !== config.mode) {
          throw new Error(
            `${backup} is of a ${mode} service and the settings are for ${config.mode}; the two never mix.`,
          );
        }
        report = await audit(copy);
        sealed = await sealedReport(copy, config);
        if (report.ok || force) return;
        throw new Error(
          `The audit of ${backup} found problems; --force restores it anyway.\n  ${report.problems.join("\n  ")}`,
        );
      },
    });
    const { data, text } = auditReport(report!);
    const put = kept === null ? "There was no database before." : `The old database is now ${kept}.`;
    const { total, unreadable, text: words } = sealed!;
    return {
      data: { ok: data.ok, file, kept, audit: data, sealed: { total, unreadable } },
      text: [`Restored ${file} from ${backup}.`, put, text, ...(words === "" ? [] : [words])].join("\n"),
      exitCode: data.ok ? 0 : 1,
    };
  },
});
