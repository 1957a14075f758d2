import { audit } from "../domain/audit/audit.ts";
import { auditReport } from "./audit-report.ts";
import { defineCommand } from "./command.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "audit",
  about: "Prove ledger, orders, payments, links and counters equal; exit code 1 when they are not",
  detail: [
    "It may run beside the service: it reads one moment of the database, and changes nothing but an older schema, which is",
    "brought to the newest.",
  ].join("\n"),
  options: {},
  async run(_options, { config }) {
    const report = await withInstance(config, ({ db }) => audit(db));
    return { ...auditReport(report), exitCode: report.ok ? 0 : 1 };
  },
});
