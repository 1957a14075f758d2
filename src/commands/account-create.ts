import { createAccount } from "../domain/accounts/accounts.ts";
import { createKey } from "../domain/credentials/keys.ts";
import { balanceOf, post } from "../domain/ledger/ledger.ts";
import { bookSandboxOrder } from "../domain/payments/cards/sandbox/book-order.ts";
import { isPaid } from "../domain/payments/orders/orders.ts";
import type { Config } from "../platform/config/config.ts";
import { newId } from "../platform/ids.ts";
import { OPERATOR } from "../platform/principal.ts";
import { defineCommand, UsageError } from "./command.ts";
import { grantLine } from "./grant-line.ts";
import { lostKey } from "./lost-key.ts";
import { creditsOf, emailOf, nameOf } from "./values.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "account create",
  about: "Create an account with an API key, which is shown once",
  options: {
    email: { value: "E", about: "E-mail address", required: true },
    name: { value: "N", about: "Name; default: the part before the @" },
    credits: { value: "N", about: "Initial credits; default: 0, or with --paid the credits of the basic pack" },
    paid: { about: "Book a sandbox order, so that the account may index; no money moves" },
    key: { value: "NAME", about: "Name of the API key; default: default" },
  },
  examples: [
    "account create --email ann@example.com --key first",
    "account create --email ann@example.com --paid --credits 1000 --json",
  ],
  async run({ email, name, credits, paid, key }, { config }) {
    if (paid && config.mode === "live" && !config.allowSandbox.includes("payment")) {
      const staging = "For a staging service, BECKON_ALLOW_SANDBOX=payment allows it.";
      throw new UsageError(`--paid books a sandbox order, and this is a live database. ${staging}`);
    }
    const initialCredits = credits === undefined ? undefined : creditsOf(credits, 0);
    const address = emailOf(email);
    const named = name === undefined ? {} : { name: nameOf("name", name) };
    const keyName = nameOf("key", key ?? "default");

    return withInstance(config, async ({ db, clock }) => {
      const now = clock.now();
      const created = await db.tx(async (tx) => {
        const { id, email, name } = await createAccount(tx, { email: address, ...named, now });
        if (paid)
          await bookSandboxOrder(tx, {
            accountId: id,
            pack: config.packs[0]!,
            ...(initialCredits === undefined ? {} : { credits: initialCredits }),
            now,
          });
        else if (initialCredits) {
          const description = "Credits given when the account was created";
          await post(tx, {
            accountId: id,
            kind: "adjustment",
            credential: OPERATOR,
            credits: initialCredits,
            source: newId("adj"),
            description,
            now,
          });
        }
        const api_key = await createKey(tx, { accountId: id, name: keyName, mode: config.mode, now });
        const account = { id, email, name, credits: await balanceOf(tx, id), paid: await isPaid(tx, id) };
        return { account, api_key };
      });
      const { account } = created;
      const text = [
        `Account   ${account.id}  ${account.email}`,
        `Credits   ${account.credits}${account.paid ? "" : ` (not paid yet: ${unpaid(config)})`}`,
        `API key   ${created.api_key}`,
        "The key is not shown again.",
        ...(account.paid || config.isSelling ? [] : [`To let it index: ${grantLine(account.email)}`]),
      ].join("\n");
      return { data: created, text, ifUnwritten: lostKey(account.id) };
    });
  },
});

function unpaid({ isSelling }: Pick<Config, "isSelling">): string {
  return isSelling ? "it can read and buy, not index" : "it can read, not index";
}
