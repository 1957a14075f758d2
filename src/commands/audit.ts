import { audit } from "../audit/audit.ts";
import { defineCommand } from "./command.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "audit",
  about: "Prove ledger, orders, payments, links and counters equal; exit code 1 when they are not",
  options: {},
  async run(_options, { config }) {
    const report = await withInstance(config, ({ db }) => audit(db));
    const { ok, directPayments, creditsSold, creditsTakenBack, problems, ...counts } = report;
    const data = {
      ok,
      ...counts,
      direct_payments: directPayments,
      credits_sold: creditsSold,
      credits_taken_back: creditsTakenBack,
      problems,
    };
    const { accounts, entries, orders, projects, links } = counts;
    const seen = `${accounts} accounts, ${projects} projects, ${links} links, ${entries} ledger entries, ${orders} orders (${creditsSold} credits sold, ${creditsTakenBack} taken back), ${directPayments} direct payments`;
    const text = ok ? `Everything adds up: ${seen}.` : [`It does not add up: ${seen}.`, ...problems].join("\n  ");
    return { data, text, exitCode: ok ? 0 : 1 };
  },
});
