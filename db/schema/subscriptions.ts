import type { Kit } from "../dialect.ts";

/** Sessions of MCP, and the resources whose changes they are told of. */
export function subscriptionTables(k: Kit) {
  /** A project, or the list of its links, that a session of MCP has subscribed to. */
  const resourceSubscriptions = k.table(
    "resource_subscriptions",
    {
      /** Id that the client got at `initialize`. */
      session: k.text("session").notNull(),
      accountId: k.text("account_id").notNull(),
      /** Id of the API key or grant that made it. */
      maker: k.text("maker").notNull(),
      projectNo: k.big("project_no").notNull(),
      isLinks: k.bool("is_links").notNull(),
      /** The fingerprint of the project at the time (src/domain/projects/fingerprint.ts). */
      fingerprint: k.text("fingerprint").notNull(),
      /** Real time. */
      createdAt: k.big("created_at").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.session, t.maker, t.projectNo, t.isLinks] }),
      k.index("resource_subscriptions_account").on(t.accountId),
      k.index("resource_subscriptions_age").on(t.createdAt),
    ],
  );

  /** A session that its client has ended, for as long as its id is refused. Of other sessions nothing is stored. */
  const endedSessions = k.table(
    "ended_sessions",
    {
      session: k.text("session").notNull(),
      accountId: k.text("account_id").notNull(),
      /** Id of the API key or grant that began it. */
      maker: k.text("maker").notNull(),
      /** Real time. */
      endedAt: k.big("ended_at").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.session, t.maker] }),
      k.index("ended_sessions_account").on(t.accountId),
      k.index("ended_sessions_age").on(t.endedAt),
    ],
  );

  return { resourceSubscriptions, endedSessions };
}
