import { post } from "../domain/ledger/ledger.ts";
import { newId } from "../platform/ids.ts";
import { OPERATOR } from "../platform/principal.ts";
import { defineCommand, UsageError } from "./command.ts";
import { accountNamed, creditsOf, nameOf, WHICH_ACCOUNT } from "./values.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "credits grant",
  about: "Give credits to an account, or take them back, as an adjustment in its ledger",
  options: {
    ...WHICH_ACCOUNT,
    credits: { value: "N", about: "Number of credits; --credits=-5 takes five back", required: true },
    reason: { value: "TEXT", about: "Description in the account's ledger" },
  },
  async run({ email, account, credits, reason }, { config }) {
    const amount = creditsOf(credits, -1_000_000_000);
    if (amount === 0) throw new UsageError("--credits: 0 changes nothing.");
    const description = reason === undefined ? "Granted by the operator" : nameOf("reason", reason);

    return withInstance(config, async ({ db, clock }) => {
      const { id, email: address } = await accountNamed(db, { email, account });
      const balance = await db.tx((tx) =>
        post(tx, {
          accountId: id,
          kind: "adjustment",
          credential: OPERATOR,
          credits: amount,
          source: newId("adj"),
          description,
          now: clock.now(),
        }),
      );
      const text = `${address}: ${amount > 0 ? "+" : ""}${amount} credits, balance ${balance}`;
      return { data: { account_id: id, credits: amount, balance }, text };
    });
  },
});
