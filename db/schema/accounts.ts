import { isNotNull } from "drizzle-orm";
import type { Kit } from "../dialect.ts";

/** Accounts, their keys and money, and what is counted per account. */
export function accountsTables(k: Kit) {
  const accounts = k.table(
    "accounts",
    {
      id: k.text("id").primaryKey(),
      bucket: k.small("bucket").notNull(),
      name: k.text("name").notNull(),
      /** The sum of the account's ledger, always. Below zero only by refunds and disputes. */
      credits: k.big("credits").notNull(),
      /** Number of the newest ledger entry. */
      entries: k.big("entries").notNull(),
      /** Number of the newest event. */
      events: k.big("events").notNull().default(0),
      /** A balance that falls below this is an event. */
      lowCredits: k.int("low_credits").notNull().default(100),
      createdAt: k.big("created_at").notNull(),
      /** When the operator has disabled it, and why: it reads, and spends nothing. */
      disabledAt: k.big("disabled_at"),
      disabledReason: k.text("disabled_reason"),
      /** When its data was deleted. What is left is a tombstone, to which the ledger and the orders belong. */
      deletedAt: k.big("deleted_at"),
    },
    (t) => [
      // Holds only tombstones, which are few.
      k.index("accounts_deleted").on(t.deletedAt).where(isNotNull(t.deletedAt)),
    ],
  );

  const apiKeys = k.table(
    "api_keys",
    {
      id: k.text("id").primaryKey(),
      accountId: k.text("account_id").notNull(),
      /** Who made it. It may do no more than this person may do. */
      personId: k.text("person_id").notNull(),
      /** SHA-256 of the key in hex; the key itself is never stored. */
      hash: k.text("hash").notNull(),
      name: k.text("name").notNull(),
      /** Its last four characters, to tell it from others. */
      ending: k.text("ending").notNull().default(""),
      /** Space-separated scopes, as OAuth writes them. */
      scopes: k.text("scopes").notNull(),
      createdAt: k.big("created_at").notNull(),
      lastUsedAt: k.big("last_used_at"),
      revokedAt: k.big("revoked_at"),
      /** The time from which on it is refused; null: it has no end. */
      expiresAt: k.big("expires_at"),
    },
    (t) => [k.unique("api_keys_hash").on(t.hash), k.index("api_keys_account").on(t.accountId)],
  );

  /** Calls of a key, or of a connection of an app or agent, on a UTC day. */
  const keyUsage = k.table(
    "key_usage",
    {
      accountId: k.text("account_id").notNull(),
      keyId: k.text("key_id").notNull(),
      /** Number of the day since 1970. */
      day: k.int("day").notNull(),
      calls: k.int("calls").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.keyId, t.day] }),
      k.index("key_usage_account").on(t.accountId),
      k.index("key_usage_day").on(t.day),
    ],
  );

  /** Append-only: triggers refuse to change or delete an entry, or to insert one that breaks the chain. */
  const ledger = k.table(
    "ledger",
    {
      accountId: k.text("account_id").notNull(),
      /** 1, 2, 3… within the account. */
      no: k.big("no").notNull(),
      at: k.big("at").notNull(),
      kind: k.text("kind").notNull(),
      credits: k.big("credits").notNull(),
      balanceAfter: k.big("balance_after").notNull(),
      projectId: k.text("project_id"),
      orderId: k.text("order_id"),
      /** Id of the key or grant that it comes from, `person` or `operator`; null: it is older than this column. */
      credential: k.text("credential"),
      /** For whom the credential acts, or who did it at the website; null: nobody, as for the operator. */
      personId: k.text("person_id"),
      /** What caused the entry; the same cause can never be booked twice. */
      source: k.text("source").notNull(),
      description: k.text("description").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.accountId, t.no] }),
      k.unique("ledger_source").on(t.accountId, t.kind, t.source),
      k.index("ledger_credential").on(t.accountId, t.credential, t.no),
    ],
  );

  const idempotency = k.table(
    "idempotency",
    {
      accountId: k.text("account_id").notNull(),
      operation: k.text("operation").notNull(),
      key: k.text("key").notNull(),
      inputHash: k.text("input_hash").notNull(),
      /** The running call's fence; null once `result` is there. */
      owner: k.text("owner"),
      lockedUntil: k.big("locked_until").notNull(),
      createdAt: k.big("created_at").notNull(),
      /** The output as JSON text, replayed to the byte. */
      result: k.text("result"),
    },
    (t) => [k.primaryKey({ columns: [t.accountId, t.operation, t.key] }), k.index("idempotency_age").on(t.createdAt)],
  );

  /** Counts per account and UTC day. */
  const usage = k.table(
    "usage",
    {
      accountId: k.text("account_id").notNull(),
      day: k.int("day").notNull(),
      requests: k.int("requests").notNull(),
      submissions: k.int("submissions").notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.accountId, t.day] })],
  );

  /** Counts of what is limited, in fixed windows. Only the newest window is kept. */
  const windows = k.table(
    "windows",
    {
      /** Who is counted: an account's id, an IP address, an e-mail address, or an e-mail address and an IP address. */
      subject: k.text("subject").notNull(),
      name: k.text("name").notNull(),
      /** Number of the window since 1970. */
      window: k.big("window").notNull(),
      count: k.int("count").notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.subject, t.name] })],
  );

  return { accounts, apiKeys, keyUsage, ledger, idempotency, usage, windows };
}
