import { audit } from "../projects/audit.ts";
import { defineCommand } from "./command.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "audit",
  about: "Prove ledger, balances, links and counters equal; exit code 1 when they are not",
  options: {},
  async run(_options, { config }) {
    const report = await withInstance(config, ({ db }) => audit(db));
    const { ok, accounts, projects, links, entries, problems } = report;
    const seen = `${accounts} accounts, ${projects} projects, ${links} links, ${entries} ledger entries`;
    const text = ok ? `Everything adds up: ${seen}.` : [`It does not add up: ${seen}.`, ...problems].join("\n  ");
    return { data: report, text, exitCode: ok ? 0 : 1 };
  },
});
