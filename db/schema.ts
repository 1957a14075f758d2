import type { Kit } from "./kit.ts";

/**
 * The whole database, once for both dialects. `bucket` (a hash of the account, 0…63) stands in every
 * table that grows, so that claims can be split among processes and rows among shards.
 *
 * Facts about links (steps, deliveries, observations) are kept per *set* of links of one project, as a
 * bitmap of places from `first` on: what 500 links share is written once.
 */
export function defineSchema(k: Kit) {
  /** Instance facts: the sandbox/live stamp and the anchor of the service clock. */
  const meta = k.table("meta", { name: k.text("name").primaryKey(), value: k.text("value").notNull() });

  const accounts = k.table(
    "accounts",
    {
      id: k.text("id").primaryKey(),
      bucket: k.small("bucket").notNull(),
      email: k.text("email").notNull(),
      name: k.text("name").notNull(),
      /** The sum of the account's ledger, always. Below zero only by refunds and disputes. */
      credits: k.big("credits").notNull(),
      /** Number of the newest ledger entry. */
      entries: k.big("entries").notNull(),
      createdAt: k.big("created_at").notNull(),
    },
    (t) => [k.unique("accounts_email").on(t.email)],
  );

  const apiKeys = k.table(
    "api_keys",
    {
      id: k.text("id").primaryKey(),
      accountId: k.text("account_id").notNull(),
      /** SHA-256 of the key in hex; the key itself is never stored. */
      hash: k.text("hash").notNull(),
      name: k.text("name").notNull(),
      /** Space-separated scopes, as OAuth writes them. */
      scopes: k.text("scopes").notNull(),
      createdAt: k.big("created_at").notNull(),
      revokedAt: k.big("revoked_at"),
    },
    (t) => [k.unique("api_keys_hash").on(t.hash), k.index("api_keys_account").on(t.accountId)],
  );

  const orders = k.table(
    "orders",
    {
      id: k.text("id").primaryKey(),
      accountId: k.text("account_id").notNull(),
      pack: k.text("pack").notNull(),
      credits: k.big("credits").notNull(),
      amountCents: k.int("amount_cents").notNull(),
      currency: k.text("currency").notNull(),
      method: k.text("method").notNull(),
      status: k.text("status").notNull(),
      checkoutUrl: k.text("checkout_url"),
      /** JSON of {network, hash, payer, amount, currency} for a direct payment. */
      transaction: k.text("transaction"),
      createdAt: k.big("created_at").notNull(),
      expiresAt: k.big("expires_at"),
      paidAt: k.big("paid_at"),
    },
    (t) => [k.index("orders_account").on(t.accountId, t.createdAt), k.index("orders_paid").on(t.accountId, t.status)],
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
      /** What caused the entry; the same cause can never be booked twice. */
      source: k.text("source").notNull(),
      description: k.text("description").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.accountId, t.no] }),
      k.unique("ledger_source").on(t.accountId, t.kind, t.source),
    ],
  );

  const projects = k.table(
    "projects",
    {
      no: k.serial("no"),
      id: k.text("id").notNull(),
      bucket: k.small("bucket").notNull(),
      accountId: k.text("account_id").notNull(),
      kind: k.text("kind").notNull(),
      name: k.text("name").notNull(),
      mode: k.text("mode"),
      bing: k.bool("bing").notNull(),
      yandex: k.bool("yandex").notNull(),
      dripDays: k.small("drip_days").notNull(),
      status: k.text("status").notNull(),
      /** Credits per link; 0 in a check, whose price is per group. */
      price: k.small("price").notNull(),
      total: k.int("total").notNull(),
      waiting: k.int("waiting").notNull(),
      checking: k.int("checking").notNull(),
      indexed: k.int("indexed").notNull(),
      notIndexed: k.int("not_indexed").notNull(),
      failed: k.int("failed").notNull(),
      creditsSpent: k.big("credits_spent").notNull(),
      creditsReturned: k.big("credits_returned").notNull(),
      createdAt: k.big("created_at").notNull(),
      completedAt: k.big("completed_at"),
    },
    (t) => [k.unique("projects_id").on(t.id), k.index("projects_account").on(t.accountId, t.no)],
  );

  /** One URL of a project. `id` = project number and place (src/ids.ts), so a project is one range. */
  const links = k.table("links", {
    id: k.big("id").primaryKey(),
    bucket: k.small("bucket").notNull(),
    url: k.text("url").notNull(),
    /** Index into LINK_STATES. */
    state: k.small("state").notNull(),
    error: k.text("error"),
    sentAt: k.big("sent_at"),
    indexedAt: k.big("indexed_at"),
    /** When a cancel met the link inside a leased step. */
    cancelledAt: k.big("cancelled_at"),
    /** Words of WARNINGS, space-separated. */
    warnings: k.text("warnings"),
  });

  /** 64-bit hashes of a project's URLs in submission order: the account's URL set is all its projects' rows. */
  const urlSets = k.table(
    "url_sets",
    {
      projectNo: k.big("project_no").primaryKey(),
      accountId: k.text("account_id").notNull(),
      hashes: k.bytes("hashes").notNull(),
    },
    (t) => [k.index("url_sets_account").on(t.accountId)],
  );

  /** The queue: what is to be done, to which links of which project, and when. Done steps are deleted. */
  const steps = k.table(
    "steps",
    {
      id: k.serial("id"),
      bucket: k.small("bucket").notNull(),
      projectNo: k.big("project_no").notNull(),
      lane: k.small("lane").notNull(),
      action: k.small("action").notNull(),
      look: k.small("look").notNull(),
      /** 1 once a clean negative was seen and a second is awaited. */
      negatives: k.small("negatives").notNull(),
      /** Fruitless tries so far; sets the backoff. */
      tries: k.small("tries").notNull(),
      /** Service ms, since the final look, in which a sound verifier was available. */
      availableMs: k.big("available_ms").notNull(),
      lookedAt: k.big("looked_at"),
      priority: k.small("priority").notNull(),
      /** Service time. */
      dueAt: k.big("due_at").notNull(),
      first: k.small("first").notNull(),
      members: k.bytes("members").notNull(),
      size: k.small("size").notNull(),
      /** The claim that holds the step, until `leaseUntil` (real time). */
      lease: k.text("lease"),
      leaseUntil: k.big("lease_until"),
      /** Real time at which the worker was about to call an upstream; found set after a crash, the call is uncertain. */
      intentAt: k.big("intent_at"),
    },
    (t) => [k.index("steps_due").on(t.priority, t.dueAt), k.index("steps_project").on(t.projectNo, t.lane)],
  );

  /** What became of handing a set of links to an engine. Append-only; the latest row of a link and lane counts. */
  const deliveries = k.table(
    "deliveries",
    {
      id: k.serial("id"),
      projectNo: k.big("project_no").notNull(),
      lane: k.small("lane").notNull(),
      at: k.big("at").notNull(),
      status: k.small("status").notNull(),
      provider: k.text("provider").notNull(),
      detail: k.text("detail"),
      first: k.small("first").notNull(),
      last: k.small("last").notNull(),
      members: k.bytes("members").notNull(),
    },
    (t) => [k.index("deliveries_project").on(t.projectNo)],
  );

  /** What a verifier saw for a set of links. Append-only: the evidence behind every verdict. */
  const observations = k.table(
    "observations",
    {
      id: k.serial("id"),
      projectNo: k.big("project_no").notNull(),
      at: k.big("at").notNull(),
      look: k.small("look").notNull(),
      result: k.small("result").notNull(),
      method: k.text("method").notNull(),
      provider: k.text("provider").notNull(),
      /** JSON of small counts, e.g. {"queries":2,"results":10,"matches":0}. */
      counts: k.text("counts"),
      reason: k.text("reason"),
      first: k.small("first").notNull(),
      last: k.small("last").notNull(),
      members: k.bytes("members").notNull(),
    },
    (t) => [k.index("observations_project").on(t.projectNo)],
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

  /** How each upstream is doing; read by `beckon doctor`. */
  const providers = k.table("providers", {
    name: k.text("name").primaryKey(),
    okAt: k.big("ok_at"),
    failedAt: k.big("failed_at"),
    /** Failures since the last success. */
    failures: k.int("failures").notNull(),
    reason: k.text("reason"),
  });

  return {
    meta,
    accounts,
    apiKeys,
    orders,
    ledger,
    projects,
    links,
    urlSets,
    steps,
    deliveries,
    observations,
    idempotency,
    usage,
    providers,
  };
}

export type Schema = ReturnType<typeof defineSchema>;
