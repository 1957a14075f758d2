import { beforeAll, expect, test } from "vitest";
import { type AuditReport, audit } from "../../../../src/domain/audit/audit.ts";
import { droppingGuards, rawIn } from "../../../support/database/raw-query.ts";
import { seedPayments } from "../../../support/database/seed-payments.ts";
import { testStore } from "../../../support/database/store.ts";
import { allTests } from "../../../support/service/each-test.ts";

const store = allTests(testStore);
let dropping: readonly string[];
beforeAll(async () => {
  await seedPayments(store);
  dropping = await droppingGuards(store.url);
});

test("books that are in order: nothing to say, and what was sold", async () => {
  expect(await audit(store.db)).toEqual({
    ok: true,
    accounts: 2,
    projects: 2,
    links: 5,
    entries: expect.any(Number),
    steps: 2,
    orders: 9,
    directPayments: 2,
    creditsSold: 100 + 4 * 150 + 2 * 150,
    // Those of the sandbox, and of the two direct payments on a local chain.
    testCreditsSold: 100 + 2 * 150,
    creditsTakenBack: 50 + 150 + 150 + 150,
    problems: [],
  });
});

/** What somebody does to the database behind our back, and the sentence that must be said of it. */
const DAMAGE: readonly (readonly [statement: string, sentence: RegExp])[] = [
  // Ledgers.
  ["UPDATE accounts SET credits = credits + 1", /^account acc_\w+: balance is \d+, should be \d+$/],
  ["UPDATE accounts SET entries = 1", /number of ledger entries is 1, should be \d+$/],
  [
    "UPDATE ledger SET no = no + 100 WHERE source = 'ord_whole'",
    /^account acc_\w+, entry 1\d\d: number is 1\d\d, should be \d+$/,
  ],
  ["UPDATE ledger SET balance_after = 7 WHERE no = 2", /^account acc_\w+, entry 2: balance after is 7, should be \d+$/],
  ["UPDATE ledger SET credits = 0 WHERE no = 2", /^account acc_\w+, entry 2 books nothing$/],
  ["DELETE FROM accounts", /^account acc_\w+ has ledger entries and does not exist$/],
  ["UPDATE accounts SET deleted_at = 1 WHERE credits > 0", /^account acc_\w+ is deleted and has \d+ credits$/],
  // Orders and the ledger.
  ["DELETE FROM accounts", /^order ord_whole is of an account that does not exist$/],
  ["DELETE FROM ledger WHERE source = 'ord_whole'", /^order ord_whole: credits booked is 0, should be 150$/],
  [
    "UPDATE orders SET paid_at = NULL, status = 'pending' WHERE id = 'ord_whole'",
    /^order ord_whole: credits booked is 150, should be 0$/,
  ],
  [
    `INSERT INTO ledger (account_id, no, at, kind, credits, balance_after, order_id, source, description) SELECT account_id, 90, at, kind, 0, 0, order_id, 'again', '' FROM ledger WHERE source = 'ord_whole'`,
    /^order ord_whole: number of purchase entries is 2, should be 1$/,
  ],
  [
    "UPDATE ledger SET credits = -49 WHERE source = 'evt_part' AND kind = 'adjustment'",
    /^order ord_part: credits booked back is -49, should be -50$/,
  ],
  [
    "UPDATE orders SET taken_back = 49 WHERE id = 'ord_part'",
    /^order ord_part: credits taken back is 49, should be 50$/,
  ],
  ["UPDATE orders SET taken_back = 1 WHERE id = 'ord_open'", /^order ord_open: credits taken back is 1, should be 0$/],
  ["DELETE FROM orders WHERE id = 'ord_whole'", /^order ord_whole has ledger entries and does not exist$/],
  [
    "UPDATE ledger SET account_id = (SELECT id FROM accounts WHERE credits = 0) WHERE source = 'ord_whole'",
    /^order ord_whole has entries in the ledger of account acc_\w+$/,
  ],
  ["UPDATE ledger SET kind = 'return' WHERE source = 'ord_whole'", /^order ord_whole has entry \d+ of kind return$/],
  // Orders and their money.
  ["UPDATE orders SET status = 'paid' WHERE id = 'ord_open'", /^order ord_open is paid and was never paid$/],
  [
    "UPDATE orders SET status = 'refunded' WHERE id = 'ord_part'",
    /^order ord_part: status is refunded, should be paid$/,
  ],
  ["UPDATE orders SET status = 'failed' WHERE id = 'ord_whole'", /^order ord_whole: status is failed, should be paid$/],
  ["UPDATE orders SET status = 'paid' WHERE id = 'ord_back'", /^order ord_back: status is paid, should be refunded$/],
  [
    "UPDATE card_payments SET refunded_cents = 500 WHERE id = 'pi_part'",
    /^order ord_part: credits taken back is 50, should be 75$/,
  ],
  [
    "INSERT INTO card_refunds (id, payment_id, cents, failed_at) VALUES ('re_1', 'pi_part', 333, 1)",
    /^order ord_part: credits taken back is 50, should be 0$/,
  ],
  [
    "INSERT INTO card_refunds (id, payment_id, cents) VALUES ('re_1', 'pi_part', 500)",
    /^order ord_part: credits taken back is 50, should be 75$/,
  ],
  [
    "UPDATE card_payments SET failed_at = 1 WHERE id = 'pi_whole'",
    /^order ord_whole: status is paid, should be failed$/,
  ],
  ["UPDATE card_disputes SET state = 'won'", /^order ord_fought: status is disputed, should be paid$/],
  [
    "UPDATE card_payments SET order_id = 'ord_none' WHERE id = 'pi_whole'",
    /^card payment pi_whole is of order ord_none, which does not exist$/,
  ],
  [
    "UPDATE card_payments SET order_id = 'ord_direct1' WHERE id = 'pi_whole'",
    /^card payment pi_whole is of order ord_direct1, which is paid directly$/,
  ],
  [
    "UPDATE card_payments SET order_id = 'ord_part' WHERE id = 'pi_whole'",
    /^card payment pi_\w+ is of order ord_part, which has another card payment$/,
  ],
  ["DELETE FROM card_events WHERE order_id = 'ord_part'", /^order ord_part was paid and no event says so$/],
  ["UPDATE card_events SET problem = 'x'", /^order ord_whole was paid and no event says so$/],
  ["UPDATE orders SET reference = 'cs_part' WHERE id = 'ord_whole'", /^payment page cs_part belongs to two orders$/],
  // Direct payments.
  [
    "UPDATE direct_payments SET state = 'submitted' WHERE order_id = 'ord_direct1'",
    /^order ord_direct1: status is paid, should be failed$/,
  ],
  [
    "UPDATE direct_payments SET state = 'credited' WHERE order_id = 'ord_direct2'",
    /^order ord_direct2: status is failed, should be paid$/,
  ],
  [
    "UPDATE direct_payments SET state = 'credited' WHERE order_id = 'ord_direct2'",
    /^direct payment \S+ is credited and stands in no block$/,
  ],
  ["UPDATE direct_payments SET state = 'lost'", /^direct payment \S+ is lost, which is no state$/],
  ["UPDATE direct_payments SET order_id = 'ord_none'", /^direct payment \S+ is order ord_none, which does not exist$/],
  ["UPDATE direct_payments SET order_id = NULL", /^direct payment \S+ is final and no order$/],
  ["DELETE FROM direct_payments", /^order ord_direct1 has no direct payment in the journal$/],
  ["UPDATE direct_payments SET transfer = '0x1/0'", /^transfer 0x1\/0 pays for two direct payments$/],
  ["UPDATE direct_payments SET order_id = 'ord_direct1'", /^order ord_direct1 is two direct payments$/],
  ["UPDATE direct_payments SET account_id = 'acc_thief'", /: account is acc_thief, should be acc_\w+$/],
  ["UPDATE direct_payments SET pack = 'pro'", /: pack is pro, should be basic$/],
  ["UPDATE direct_payments SET credits = 500", /^direct payment \S+: credits is 500, should be 150$/],
  ["UPDATE direct_payments SET amount_cents = 1", /: amount in cents is 1, should be 999$/],
  ["UPDATE direct_payments SET amount = '1'", /: amount is 1, should be 9990000$/],
  ["UPDATE direct_payments SET network = 'eip155:1'", /: network is eip155:1, should be eip155:31337$/],
  ["UPDATE direct_payments SET asset = '0x0'", /: token is 0x0, should be 0xa+$/],
  ["UPDATE direct_payments SET payer = '0x0'", /: payer is 0x0, should be 0x1+$/],
  ["UPDATE direct_payments SET hash = '0x3'", /: transaction is 0x3, should be 0x1+$/],
  ["UPDATE direct_payments SET transfer = key", /: transaction of its transfer is eip155:31337, should be 0x1+$/],
  // Projects.
  ["UPDATE projects SET waiting = 9", /^project prj_\w+: count of waiting is 9, should be \d$/],
  ["DELETE FROM links WHERE id = (SELECT max(id) FROM links)", /^project prj_\w+: links is 1, should be 2$/],
  ["UPDATE projects SET credits_spent = 9", /^project prj_\w+: credits spent is 9, should be \d$/],
  ["UPDATE projects SET credits_returned = 1", /^project prj_\w+: credits returned is 1, should be 0$/],
  ["UPDATE projects SET price = 2 WHERE kind = 'index'", /: price of its links is 3, should be 6$/],
  ["UPDATE links SET state = 4 WHERE id = (SELECT min(id) FROM links)", /: returned for links is 0, should be 1$/],
  ["UPDATE projects SET status = 'completed' WHERE kind = 'check'", /: kept for looked-up links is 1, should be 0$/],
  ["UPDATE projects SET status = 'completed'", /: status is completed, should be active$/],
  ["UPDATE steps SET size = 9", /: size of step \d+ is 9, should be \d$/],
  ["UPDATE steps SET project_no = (SELECT min(no) FROM projects)", /: link 0 stands in two steps of lane google$/],
  ["DELETE FROM steps", /: link 0 stands in no step$/],
  ["UPDATE links SET state = 4 WHERE id = (SELECT min(id) FROM links)", /: link 0 is decided and queued$/],
  // Events.
  ["UPDATE accounts SET events = events + 1", /^account acc_\w+: number of its newest event is \d+, should be \d+$/],
  [
    "UPDATE events SET no = no + 1 WHERE no = (SELECT max(no) FROM events)",
    /^account acc_\w+: events from 1 to \d+ is/,
  ],
  [
    `UPDATE events SET type = 'project.completed', project_id = (SELECT min(id) FROM projects) WHERE no = 1`,
    /^project prj_\w+, its events: completions is [12], should be 0$/,
  ],
  ["UPDATE projects SET failed = 1, status = 'completed'", /^project prj_\w+, its events: failed is 0, should be 1$/],
  ["UPDATE projects SET status = 'completed'", /^project prj_\w+, its events: completions is 0, should be 1$/],
  [
    "UPDATE events SET type = 'order.paid' WHERE type = 'order.refunded'",
    /^order ord_part, its events: payments is 2, should be 1$/,
  ],
  [
    "UPDATE events SET type = 'order.paid' WHERE type = 'order.refunded'",
    /^order ord_part, its events: 0 of 50 credits taken back were told of$/,
  ],
  [
    "UPDATE events SET type = 'site.verified' WHERE type = 'order.paid'",
    /^order ord_whole, its events: payments is 0, should be 1$/,
  ],
  ["DELETE FROM projects", /^links in the database is 5, should be 0$/],
  ["DELETE FROM projects", /^steps of project number \d+, which does not exist$/],
];

/** Audits the database as it is after statements, which are rolled back. */
async function auditAfter(...statements: readonly string[]): Promise<AuditReport> {
  let report: AuditReport | undefined;
  const audited = new Error("audited");
  const work = store.db.tx(async (tx) => {
    for (const statement of statements) await rawIn(tx, statement);
    report = await audit({ snapshot: (read) => read(tx) });
    throw audited;
  });
  await work.catch((thrown) => {
    if (thrown !== audited) throw thrown;
  });
  return report!;
}

test.each(DAMAGE)("damage is named: %s: %s", async (statement, sentence) => {
  // Most of it the database itself would not refuse.
  const { ok, problems } = await auditAfter(statement).catch(() => auditAfter(...dropping, statement));
  expect(ok).toBe(false);
  expect(problems.join("\n")).toMatch(new RegExp(sentence.source, "m"));
});
