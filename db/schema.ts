import type { Kit } from "./dialect.ts";
import { accountsTables } from "./schema/accounts.ts";
import { authTables } from "./schema/auth.ts";
import { paymentsTables } from "./schema/payments.ts";
import { projectsTables } from "./schema/projects.ts";
import { providersTables } from "./schema/providers.ts";
import { tasksTables } from "./schema/tasks.ts";
import { userTables } from "./schema/users.ts";

/**
 * The whole database, once for both dialects. `bucket` (a hash of the account, 0…63) stands in every
 * table that grows, so that claims can be split among processes and rows among shards.
 *
 * Facts about links (steps, deliveries, observations) are kept per *set* of links of one project, as a
 * bitmap of positions from `first` on: what 500 links share is written once.
 */
export function defineSchema(k: Kit) {
  /** Instance facts: the sandbox/live stamp and the anchor of the service clock. */
  const meta = k.table("meta", { name: k.text("name").primaryKey(), value: k.text("value").notNull() });

  /** Rounds of work that one of several nodes does: whoever inserts the row of a slot does it. */
  const ticks = k.table(
    "ticks",
    {
      job: k.text("job").notNull(),
      /** Number of the job's period since 1970, by the database's clock. */
      slot: k.big("slot").notNull(),
      node: k.text("node").notNull(),
      at: k.big("at").notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.job, t.slot] })],
  );

  return {
    meta,
    ticks,
    ...accountsTables(k),
    ...paymentsTables(k),
    ...userTables(k),
    ...authTables(k),
    ...projectsTables(k),
    ...providersTables(k),
    ...tasksTables(k),
  };
}

export type Schema = ReturnType<typeof defineSchema>;
