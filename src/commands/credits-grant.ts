import { balanceOf, post } from "../domain/ledger/ledger.ts";
import { bookGrant } from "../domain/payments/orders/grant.ts";
import { newId } from "../platform/ids.ts";
import { OPERATOR } from "../platform/principal.ts";
import { defineCommand, UsageError } from "./command.ts";
import { accountFinder, creditsOf, nameOf, WHICH_ACCOUNT } from "./values.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "credits grant",
  about: "Give credits to an account, or take them back, as an adjustment in its ledger",
  options: {
    ...WHICH_ACCOUNT,
    credits: { value: "N", about: "Number of credits; --credits=-5 takes five back", required: true },
    order: {
      about: "Book them as a paid order of amount 0, by which the account counts as paid and may index; no money moves",
    },
    reason: { value: "TEXT", about: "Description in the account's ledger" },
  },
  examples: [
    'credits grant --email ann@example.com --credits 100 --reason "For the outage of Monday"',
    "credits grant --email ann@example.com --credits=-5",
  ],
  async run({ email, account, credits, order, reason }, { config }) {
    const find = accountFinder({ email, account });
    const amount = creditsOf(credits, -1_000_000_000);
    if (order && amount < 1) throw new UsageError("--order: an order gives credits, and takes none back.");
    if (amount === 0) throw new UsageError("--credits: 0 changes nothing.");
    const description = reason === undefined ? "Granted by the operator" : nameOf("reason", reason);

    return withInstance(config, async ({ db, clock }) => {
      const { id, email: address } = await find(db);
      const given = { accountId: id, credits: amount, description, now: clock.now() };
      const { balance, orderId } = await db.tx(async (tx) => {
        const orderId = order ? (await bookGrant(tx, given)).id : null;
        if (!order) await post(tx, { ...given, kind: "adjustment", credential: OPERATOR, source: newId("adj") });
        return { balance: await balanceOf(tx, id), orderId };
      });
      const by = orderId === null ? "" : ` by order ${orderId}`;
      const text = `${address}: ${amount > 0 ? "+" : ""}${amount} credits${by}, balance ${balance}`;
      return {
        data: { account_id: id, credits: amount, balance, ...(orderId === null ? {} : { order_id: orderId }) },
        text,
      };
    });
  },
});
