import { isPostgres, sqlitePath } from "../../db/open.ts";
import { backupSqlite } from "../../db/sqlite/backup.ts";
import { type AuditReport, audit } from "../domain/audit/audit.ts";
import { formatNumber } from "../platform/format.ts";
import { auditReport } from "./audit-report.ts";
import { defineCommand } from "./command.ts";
import { fileOf } from "./values.ts";

export default defineCommand({
  name: "backup",
  about: "Copy the SQLite database to a file while the service runs, and check the copy",
  detail: [
    "The copy is one snapshot of the database, checked by SQLite and by the audit; exit code 1 when the audit fails. It holds",
    "secrets, and only its owner can read it. SECRETS_KEY, which some of them are sealed with, is not in it. For PostgreSQL, use pg_dump or pg_basebackup; the page /docs/operating of the",
    "service has the commands.",
  ].join("\n"),
  options: { to: { value: "FILE", about: "File to create; it must not exist", required: true } },
  examples: ["backup --to /backups/beckon.db"],
  async run({ to }, { config }) {
    if (isPostgres(config.databaseUrl)) {
      throw new Error(
        "DATABASE_URL is PostgreSQL, which has programs of its own for backups: pg_dump, or pg_basebackup with a log archive. The page /docs/operating has the commands.",
      );
    }
    const file = fileOf("to", to);
    let report: AuditReport | null = null;
    const { bytes, schema } = await backupSqlite(sqlitePath(config.databaseUrl), file, async (copy) => {
      report = await audit(copy);
    });
    const found = report === null ? null : auditReport(report);
    const ok = found?.data.ok ?? true;
    const checked = found?.text ?? `Its schema is ${schema} than this program's, so it was not audited.`;
    return {
      data: { ok, file, bytes, schema, audit: found?.data ?? null },
      text: `Backed up to ${file} (${formatNumber(bytes)} bytes).\n${checked}\n${KEY_NOT_INCLUDED}`,
      exitCode: ok ? 0 : 1,
    };
  },
});

const KEY_NOT_INCLUDED =
  "SECRETS_KEY is not in the backup: without it, the secrets that it seals cannot be read after a restore.";
