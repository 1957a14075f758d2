import type { Kit } from "../dialect.ts";

/** Sites of accounts, and the state and use of providers. */
export function providersTables(k: Kit) {
  /** Hosts that an account has added, verified or not. */
  const sites = k.table(
    "sites",
    {
      id: k.text("id").primaryKey(),
      bucket: k.small("bucket").notNull(),
      accountId: k.text("account_id").notNull(),
      /** Lower case, punycode; with a port where it is not the scheme's own. */
      host: k.text("host").notNull(),
      status: k.text("status").notNull(),
      /** The IndexNow key whose file is to be placed on the host: the proof of ownership. */
      indexnowKey: k.text("indexnow_key").notNull(),
      /** Where the file of the key in use was found: another key while `indexnowKey` is to replace it. */
      keyUrl: k.text("key_url").notNull(),
      /** JSON object: the provider's own name for the host by name of connection. */
      connections: k.text("connections").notNull(),
      /** SHA-256 of the secret of its push address; null until there is one. */
      pushSecretHash: k.text("push_secret_hash"),
      createdAt: k.big("created_at").notNull(),
      verifiedAt: k.big("verified_at"),
    },
    (t) => [k.unique("sites_account_host").on(t.accountId, t.host)],
  );

  /** Whether each provider succeeds or fails, and each site that a provider refuses: `provider site`. */
  const providers = k.table("providers", {
    name: k.text("name").primaryKey(),
    okAt: k.big("ok_at"),
    failedAt: k.big("failed_at"),
    /** Failures since the last success. */
    failures: k.int("failures").notNull(),
    reason: k.text("reason"),
    /** Service time until which it is not called: by its own answer, its quota or the circuit breaker. */
    heldUntil: k.big("held_until"),
  });

  /** Calls of each provider and their outcomes, by the provider's own calendar day. */
  const providerDays = k.table(
    "provider_days",
    {
      name: k.text("name").notNull(),
      /** yyyymmdd where the provider counts its days. */
      day: k.int("day").notNull(),
      calls: k.int("calls").notNull(),
      /** Units used of the daily quota. */
      units: k.int("units").notNull(),
      accepted: k.int("accepted").notNull(),
      rejected: k.int("rejected").notNull(),
      uncertain: k.int("uncertain").notNull(),
      indexed: k.int("indexed").notNull(),
      notIndexed: k.int("not_indexed").notNull(),
      unknown: k.int("unknown").notNull(),
      failures: k.int("failures").notNull(),
      /** Millionths of a dollar. */
      cost: k.big("cost").notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.name, t.day] })],
  );

  return { sites, providers, providerDays };
}
