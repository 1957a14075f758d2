import type { Kit } from "../dialect.ts";

/** Links by which anybody who has one reads the results of a project or of a site. All times are real. */
export function shareTables(k: Kit) {
  const shares = k.table(
    "shares",
    {
      id: k.text("id").primaryKey(),
      accountId: k.text("account_id").notNull(),
      /** SHA-256 of the secret in its address. */
      hash: k.text("hash").notNull(),
      /** What it shows: a project, or else a host. */
      projectId: k.text("project_id"),
      host: k.text("host"),
      title: k.text("title").notNull(),
      /** Who shows it, in the words of who made it; may be empty. */
      fromName: k.text("from_name").notNull(),
      /** As `creatorOf` says it. */
      maker: k.text("maker").notNull(),
      createdAt: k.big("created_at").notNull(),
      expiresAt: k.big("expires_at").notNull(),
      /** When it was ended before its time; null: it was not. */
      endedAt: k.big("ended_at"),
      /** When somebody last opened it, to the hour. */
      lastSeenAt: k.big("last_seen_at"),
    },
    (t) => [
      k.unique("shares_hash").on(t.hash),
      k.index("shares_account").on(t.accountId, t.createdAt),
      k.index("shares_end").on(t.expiresAt),
    ],
  );

  return { shares };
}
