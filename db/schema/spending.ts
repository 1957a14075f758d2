import type { Kit } from "../dialect.ts";

/** What credentials may spend and have spent, and what needs the yes of a person. Times and days are real. */
export function spendingTables(k: Kit) {
  /**
   * The budget of an API key, or of an app or agent however often it was connected. Limits are credits; null: none. It is changed
   * by the transactions that spend, each of which adds to its counts.
   */
  const budgets = k.table(
    "budgets",
    {
      accountId: k.text("account_id").notNull(),
      /** The holder: the id of a key, the client id of an app, the name of an agent after `agent:`, the id of a person, or `account`. */
      holder: k.text("holder").notNull(),
      perCall: k.int("per_call"),
      perDay: k.int("per_day"),
      perMonth: k.int("per_month"),
      total: k.int("total"),
      /** A call that costs more needs an approval. */
      approveAbove: k.int("approve_above"),
      /** The time from which on an app or agent is refused. A key has its own end. */
      expiresAt: k.big("expires_at"),
      /** The latest UTC day on which it spent, as the number of the day since 1970, and what it spent on it. */
      day: k.int("day").notNull().default(0),
      spentToday: k.big("spent_today").notNull().default(0),
      /** The latest UTC month in which it spent, as months since the year 0, and what it spent in it. */
      month: k.int("month").notNull().default(0),
      spentThisMonth: k.big("spent_this_month").notNull().default(0),
      spent: k.big("spent").notNull().default(0),
      /** When its person was last mailed about an approval. */
      askedAt: k.big("asked_at"),
    },
    (t) => [k.primaryKey({ columns: [t.accountId, t.holder] })],
  );

  /** Calls that a person was asked to approve. One is kept for 90 days after it ended. */
  const approvals = k.table(
    "approvals",
    {
      id: k.text("id").primaryKey(),
      accountId: k.text("account_id").notNull(),
      /** Id of the key or grant that asked, and alone can use it. */
      credential: k.text("credential").notNull(),
      credentialName: k.text("credential_name").notNull(),
      /** For whom the credential asks. */
      personId: k.text("person_id"),
      holder: k.text("holder").notNull(),
      operation: k.text("operation").notNull(),
      /** SHA-256 of the parsed input. */
      inputHash: k.text("input_hash").notNull(),
      /** SHA-256 of what the call would do: of the list that a sitemap had, where the input names one. */
      digest: k.text("digest").notNull(),
      /** What the call may cost at most. */
      credits: k.int("credits").notNull(),
      /** JSON of what the call would do, for its person. */
      about: k.text("about").notNull(),
      /** open | approved | refused | used | withdrawn | replaced | ended */
      status: k.text("status").notNull(),
      createdAt: k.big("created_at").notNull(),
      /** Until when it can be decided; once approved, until when it can be used. */
      expiresAt: k.big("expires_at").notNull(),
      decidedAt: k.big("decided_at"),
      /** The person who said yes or no. */
      decidedBy: k.text("decided_by"),
      usedAt: k.big("used_at"),
      /** The project that the call made. */
      projectId: k.text("project_id"),
    },
    (t) => [k.index("approvals_account").on(t.accountId, t.createdAt), k.index("approvals_age").on(t.expiresAt)],
  );

  return { budgets, approvals };
}
