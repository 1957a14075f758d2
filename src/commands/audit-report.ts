import type { AuditReport } from "../domain/audit/audit.ts";

/** The result of an audit, as data for `--json` and as text. */
export function auditReport(report: AuditReport) {
  const { ok, directPayments, creditsSold, testCreditsSold, creditsTakenBack, problems, ...counts } = report;
  const data = {
    ok,
    ...counts,
    direct_payments: directPayments,
    credits_sold: creditsSold,
    test_credits_sold: testCreditsSold,
    credits_taken_back: creditsTakenBack,
    problems,
  };
  const { accounts, entries, orders, projects, links } = counts;
  const summary = `${accounts} accounts, ${projects} projects, ${links} links, ${entries} ledger entries, ${orders} orders (${creditsSold} credits sold, ${testCreditsSold} of them for test payments, ${creditsTakenBack} taken back), ${directPayments} direct payments`;
  const text = ok ? `Everything adds up: ${summary}.` : [`Problems found: ${summary}.`, ...problems].join("\n  ");
  return { data, text };
}
