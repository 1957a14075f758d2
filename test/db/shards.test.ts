import { type PgTable, getTableConfig as pgConfig } from "drizzle-orm/pg-core";
import { type SQLiteTable, getTableConfig as sqliteConfig } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { schema as pgSchema } from "../../db/schema.pg.ts";
import { schema as sqliteSchema } from "../../db/schema.sqlite.ts";

/** Tables whose rows do not say whose they are, and why that is so; docs/scale.md says what becomes of each. */
const OTHERS: Readonly<Record<string, string>> = {
  meta: "facts of the instance",
  ticks: "rounds of work of the instance",
  clients: "apps that registered themselves, for all accounts",
  signing_keys: "the keys of the one issuer",
  providers: "how upstreams are doing, which serve all accounts",
  provider_days: "budgets of upstreams, which serve all accounts",
  people: "may be members of several accounts",
  address_undos: "hang off a person",
  authenticator_apps: "hang off a person",
  factor_removals: "hang off a person",
  passkeys: "hang off a person",
  pending_sign_ins: "hang off a person",
  recovery_codes: "hang off a person",
  security_events: "are also of how a person signs in, whatever the account",
  windows: "counts by whoever is limited: an account, an address, a user without an account",
  registrations: "agents that no account has claimed yet",
  passkey_challenges: "are given to browsers, before it is known whose they are",
  identities: "hang off a person",
  issuer_sign_ins: "are of browsers, before it is known whose they are",
  mail_links: "addresses that may be nobody's yet",
  mail_queue: "is also for addresses that are nobody's yet",
  refresh_tokens: "hang off a grant, which has the account",
  access_tokens: "hang off a grant, which has the account",
  card_payments: "may be known before their order is, which has the account",
  card_refunds: "hang off a card payment",
  card_disputes: "hang off a card payment",
  card_events: "come from the card processor, for all accounts",
  crawler_ranges: "are published by the operators of crawlers",
};

/** What grows with the links: claims and shards split these by bucket, or find them by the account. */
const OF_LINKS = ["links", "steps", "calls", "deliveries", "observations", "projects"];

const DIALECTS = {
  pg: Object.values(pgSchema).map((table) => pgConfig(table as unknown as PgTable)),
  sqlite: Object.values(sqliteSchema).map((table) => sqliteConfig(table as unknown as SQLiteTable)),
} as const;

for (const [dialect, tables] of Object.entries(DIALECTS)) {
  const columnsOf = new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
  const namesAccount = ({ columns }: (typeof tables)[number]) =>
    columns.some(({ name, notNull }) => notNull && (name === "account_id" || name === "bucket"));

  test(`law: every table with rows of accounts has account_id or bucket in each row; the others are listed (${dialect})`, () => {
    expect(columnsOf.size).toBeGreaterThan(25);
    const without = tables.filter((table) => !namesAccount(table)).map(({ name }) => name);
    expect(without.sort()).toEqual(Object.keys(OTHERS).sort());
  });

  test(`law: every table that grows with the links has the bucket of its account (${dialect})`, () => {
    for (const name of OF_LINKS) expect(columnsOf.get(name), name).toContain("bucket");
  });
}
