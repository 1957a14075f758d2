import type { Kit } from "../dialect.ts";

/** The access that accounts have given to their own Search Console and Bing Webmaster accounts. */
export function connectionTables(k: Kit) {
  const connections = k.table(
    "connections",
    {
      id: k.text("id").primaryKey(),
      accountId: k.text("account_id").notNull(),
      /** Who connected it, or has it from somebody who left. */
      personId: k.text("person_id").notNull(),
      /** `search_console` or `bing_webmaster`. */
      kind: k.text("kind").notNull(),
      /** Whose it is at the other side: Google's `sub`, or a hash of Bing's key. */
      subject: k.text("subject").notNull(),
      /** As people recognise it: the address of the Google account, or the end of the key. */
      name: k.text("name").notNull(),
      /** Space-separated scopes that Google has granted; empty for Bing. */
      scopes: k.text("scopes").notNull(),
      /** The refresh token or the key, sealed with SECRETS_KEY. */
      sealedSecret: k.text("sealed_secret").notNull(),
      /** JSON list of `{name, permission}`, as they were last read. */
      properties: k.text("properties").notNull(),
      createdAt: k.big("created_at").notNull(),
      /** When its properties were last read; null: never yet. */
      checkedAt: k.big("checked_at"),
      nextLookAt: k.big("next_look_at").notNull(),
      /** Since when it gives no access, and why; null while it works. */
      failingSince: k.big("failing_since"),
      failure: k.text("failure"),
      /** When it was ended; the row is kept until its access is revoked at the other side. */
      endedAt: k.big("ended_at"),
    },
    (t) => [
      k.unique("connections_subject").on(t.accountId, t.kind, t.subject),
      k.index("connections_look").on(t.nextLookAt),
    ],
  );

  /** Consents of Google that were asked for and not answered yet, by the hash of their `state`. */
  const connectionAttempts = k.table(
    "connection_attempts",
    {
      hash: k.text("hash").primaryKey(),
      accountId: k.text("account_id").notNull(),
      expiresAt: k.big("expires_at").notNull(),
    },
    (t) => [k.index("connection_attempts_account").on(t.accountId)],
  );

  return { connections, connectionAttempts };
}
