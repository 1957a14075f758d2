import type { Kit } from "./dialect.ts";
import { accountsTables } from "./schema/accounts.ts";
import { authTables } from "./schema/auth.ts";
import { connectionTables } from "./schema/connections.ts";
import { coverageTables } from "./schema/coverage.ts";
import { eventTables } from "./schema/events.ts";
import { exportTables } from "./schema/exports.ts";
import { factorTables } from "./schema/factors.ts";
import { identityTables } from "./schema/identities.ts";
import { mailTables } from "./schema/mail.ts";
import { paymentsTables } from "./schema/payments.ts";
import { peopleTables } from "./schema/people.ts";
import { projectsTables } from "./schema/projects.ts";
import { providersTables } from "./schema/providers.ts";
import { shareTables } from "./schema/shares.ts";
import { spendingTables } from "./schema/spending.ts";
import { subscriptionTables } from "./schema/subscriptions.ts";
import { tasksTables } from "./schema/tasks.ts";
import { userTables } from "./schema/users.ts";
import { visitTables } from "./schema/visits.ts";
import { watchTables } from "./schema/watches.ts";

/**
 * The whole schema, once for both dialects. Every table that grows has a `bucket` (a hash of the account, 0…63), so that
 * claims can be split among processes and rows among shards.
 *
 * Facts about links (steps, deliveries, observations) are stored per *set* of links of one project, as a bitmap of positions
 * from `first` on, so that a fact that 500 links share is one row.
 */
export function defineSchema(k: Kit) {
  /** Instance facts: the sandbox/live stamp and the anchor of the service clock. */
  const meta = k.table("meta", { name: k.text("name").primaryKey(), value: k.text("value").notNull() });

  /** Slots of recurring jobs, each done by one of several nodes: the one that inserts the slot's row does it. */
  const ticks = k.table(
    "ticks",
    {
      job: k.text("job").notNull(),
      /** Number of the job's period since 1970, by the database's clock. */
      slot: k.big("slot").notNull(),
      node: k.text("node").notNull(),
      /** Version of that node's program. */
      version: k.text("version").notNull().default(""),
      at: k.big("at").notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.job, t.slot] })],
  );

  return {
    meta,
    ticks,
    ...accountsTables(k),
    ...peopleTables(k),
    ...paymentsTables(k),
    ...userTables(k),
    ...factorTables(k),
    ...identityTables(k),
    ...authTables(k),
    ...coverageTables(k),
    ...connectionTables(k),
    ...eventTables(k),
    ...exportTables(k),
    ...mailTables(k),
    ...projectsTables(k),
    ...providersTables(k),
    ...shareTables(k),
    ...spendingTables(k),
    ...subscriptionTables(k),
    ...tasksTables(k),
    ...visitTables(k),
    ...watchTables(k),
  };
}

export type Schema = ReturnType<typeof defineSchema>;
