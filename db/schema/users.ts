import type { Kit } from "../dialect.ts";

/** How a person signs in: browser sessions and mailed links; changes of the address; deletions of accounts. Secrets are stored as SHA-256 in hex. */
export function userTables(k: Kit) {
  const sessions = k.table(
    "sessions",
    {
      id: k.text("id").primaryKey(),
      hash: k.text("hash").notNull(),
      personId: k.text("person_id").notNull(),
      /** The account that its person has chosen. */
      accountId: k.text("account_id").notNull(),
      /** When a password was last typed. */
      authenticatedAt: k.big("authenticated_at").notNull(),
      /** When a passkey or a code was last shown in it; null: it began with the password alone. */
      factorAt: k.big("factor_at"),
      createdAt: k.big("created_at").notNull(),
      lastSeenAt: k.big("last_seen_at").notNull(),
      /** In words, shown to the user: "Firefox on Linux". */
      browser: k.text("browser").notNull(),
      ip: k.text("ip").notNull(),
    },
    (t) => [k.unique("sessions_hash").on(t.hash), k.index("sessions_person").on(t.personId)],
  );

  /** A link that proves an address, once. A sign-up is only such a row until its link is used. */
  const mailLinks = k.table(
    "mail_links",
    {
      hash: k.text("hash").primaryKey(),
      /** sign_up | reset | address | demo | operator */
      purpose: k.text("purpose").notNull(),
      email: k.text("email").notNull(),
      /** The person who is to get the address; null for every other purpose. */
      personId: k.text("person_id"),
      /** Of a sign-up: the password chosen with it, hashed. */
      passwordHash: k.text("password_hash"),
      /** Identifies the browser in which it was requested, where one press of a button is enough. */
      visitorHash: k.text("visitor_hash").notNull(),
      /** Local path to continue to once the link is used. */
      returnTo: k.text("return_to"),
      createdAt: k.big("created_at").notNull(),
      expiresAt: k.big("expires_at").notNull(),
      usedAt: k.big("used_at"),
      /** How often another browser sent a wrong password. */
      wrongPasswords: k.int("wrong_passwords").notNull(),
    },
    (t) => [
      k.index("mail_links_email").on(t.email),
      k.index("mail_links_person").on(t.personId),
      k.index("mail_links_expiry").on(t.expiresAt),
    ],
  );

  /** Changes of address that can still be undone by the link that the earlier address got. */
  const addressUndos = k.table(
    "address_undos",
    {
      /** In the order of the changes. */
      id: k.serial("id"),
      personId: k.text("person_id").notNull(),
      /** SHA-256 in hex of the secret in the link. */
      hash: k.text("hash").notNull(),
      /** The earlier address, which nobody else can have meanwhile. */
      email: k.text("email").notNull(),
      /** When the change was asked for. */
      requestedAt: k.big("requested_at").notNull(),
      changedAt: k.big("changed_at").notNull(),
      expiresAt: k.big("expires_at").notNull(),
    },
    (t) => [
      k.unique("address_undos_hash").on(t.hash),
      k.index("address_undos_person").on(t.personId),
      k.index("address_undos_email").on(t.email),
      k.index("address_undos_expiry").on(t.expiresAt),
    ],
  );

  /** Accounts that will be deleted when due, unless their owner keeps them. */
  const accountDeletions = k.table(
    "account_deletions",
    {
      accountId: k.text("account_id").primaryKey(),
      requestedAt: k.big("requested_at").notNull(),
      dueAt: k.big("due_at").notNull(),
    },
    (t) => [k.index("account_deletions_due").on(t.dueAt)],
  );

  return { sessions, mailLinks, addressUndos, accountDeletions };
}
