import { activeKeys } from "../domain/credentials/keys.ts";
import { connectionsOf } from "../domain/oauth/connections.ts";
import { isPaid } from "../domain/payments/orders/orders.ts";
import { membersOf } from "../domain/people/members.ts";
import { iso } from "../platform/clock.ts";
import { defineCommand } from "./command.ts";
import { accountFinder, WHICH_ACCOUNT } from "./values.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "account show",
  about: "Show an account: its credits, how many keys, connections and people it has, and whether it is disabled",
  options: WHICH_ACCOUNT,
  examples: ["account show --email ann@example.com"],
  run: async (which, { config }) => {
    const find = accountFinder(which);
    return withInstance(config, async ({ db, clock }) => {
      const account = await find(db);
      const { id } = account;
      const now = clock.now();
      const keys = await activeKeys(db, id, now);
      const connections = await connectionsOf(db, id, now);
      const data = {
        id,
        email: account.email,
        name: account.name,
        credits: account.credits,
        paid: await isPaid(db, id),
        keys,
        connections: connections.length,
        created_at: iso(account.createdAt),
        people: (await membersOf(db, id)).length,
        disabled_at: iso(account.disabledAt),
        disabled_reason: account.disabledReason,
      };
      const width = Math.max(...Object.keys(data).map((name) => name.length));
      const text = Object.entries(data).map(([name, value]) => `${name.padEnd(width)}  ${value ?? "-"}`);
      return { data, text: text.join("\n") };
    });
  },
});
