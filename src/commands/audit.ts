import { audit } from "../domain/audit/audit.ts";
import { auditReport } from "./audit-report.ts";
import { defineCommand } from "./command.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "audit",
  about: "Check that ledger, orders, payments, links and counters agree; exit code 1 when they do not",
  detail: ["It may run while the service runs: it reads one snapshot of the database, and changes nothing."].join("\n"),
  options: {},
  examples: ["audit", "audit --json"],
  async run(_options, { config }) {
    const report = await withInstance(config, ({ db }) => audit(db));
    return { ...auditReport(report), exitCode: report.ok ? 0 : 1 };
  },
});
