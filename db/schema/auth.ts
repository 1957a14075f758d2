import { isNotNull } from "drizzle-orm";
import type { Kit } from "../dialect.ts";

/**
 * The authorization server. A grant is one connected app or agent, and all its codes and tokens belong to it: a revoked
 * grant ends all of them at the next call. Secrets are stored as SHA-256 in hex, scopes space-separated.
 */
export function authTables(k: Kit) {
  /** Apps that registered themselves (RFC 7591). Apps with a client metadata document have no row. */
  const clients = k.table("clients", {
    id: k.text("id").primaryKey(),
    name: k.text("name").notNull(),
    /** JSON array. */
    redirectUris: k.text("redirect_uris").notNull(),
    /** The scopes that it may request at most; null: all. */
    scopes: k.text("scopes"),
    createdAt: k.big("created_at").notNull(),
  });

  const grants = k.table(
    "grants",
    {
      id: k.text("id").primaryKey(),
      accountId: k.text("account_id").notNull(),
      /** Who connected it. It may do no more than this person may do. */
      personId: k.text("person_id").notNull(),
      /** oauth | agent */
      kind: k.text("kind").notNull(),
      /** The id of an app; an agent has none. */
      clientId: k.text("client_id"),
      /** Whose budget its calls spend (src/domain/spending/holder.ts). */
      holder: k.text("holder").notNull().default(""),
      /** The name that the app or agent gave itself. */
      name: k.text("name").notNull(),
      scopes: k.text("scopes").notNull(),
      /** SHA-256 of the `jti` of an agent's identity assertion: a signature alone is not enough. */
      assertionHash: k.text("assertion_hash"),
      createdAt: k.big("created_at").notNull(),
      lastUsedAt: k.big("last_used_at"),
      revokedAt: k.big("revoked_at"),
      /** When the last of its tokens expires; null: none was collected yet. */
      endsAt: k.big("ends_at"),
      /** Why it ended, one of EndedBy (src/domain/oauth/grants.ts). */
      endedBy: k.text("ended_by"),
    },
    (t) => [k.index("grants_account").on(t.accountId, t.createdAt), k.index("grants_client").on(t.clientId)],
  );

  /** Authorization codes (RFC 6749 section 4.1.2), which are valid for 60 seconds and for one use. */
  const codes = k.table(
    "codes",
    {
      hash: k.text("hash").primaryKey(),
      accountId: k.text("account_id").notNull(),
      /** Who approved it. */
      personId: k.text("person_id").notNull(),
      clientId: k.text("client_id").notNull(),
      clientName: k.text("client_name").notNull(),
      /** As in the authorization request. */
      redirectUri: k.text("redirect_uri").notNull(),
      /** S256 (RFC 7636). */
      challenge: k.text("challenge").notNull(),
      scopes: k.text("scopes").notNull(),
      /** Path of the one resource for which its tokens are valid; "" for the whole service. */
      audience: k.text("audience").notNull(),
      expiresAt: k.big("expires_at").notNull(),
      usedAt: k.big("used_at"),
      /** The grant for which it was exchanged. */
      grantId: k.text("grant_id"),
    },
    (t) => [k.index("codes_expiry").on(t.expiresAt)],
  );

  /** A used one is kept until it expires: presenting it again ends the grant. */
  const refreshTokens = k.table(
    "refresh_tokens",
    {
      hash: k.text("hash").primaryKey(),
      grantId: k.text("grant_id").notNull(),
      audience: k.text("audience").notNull(),
      expiresAt: k.big("expires_at").notNull(),
      usedAt: k.big("used_at"),
      /** The token that it was exchanged for, as long as the same client may get it again. */
      sealedSuccessor: k.text("sealed_successor"),
    },
    (t) => [
      k.index("refresh_tokens_expiry").on(t.expiresAt),
      k.index("refresh_tokens_sealed").on(t.usedAt).where(isNotNull(t.sealedSuccessor)),
    ],
  );

  const accessTokens = k.table(
    "access_tokens",
    {
      hash: k.text("hash").primaryKey(),
      grantId: k.text("grant_id").notNull(),
      scopes: k.text("scopes").notNull(),
      audience: k.text("audience").notNull(),
      expiresAt: k.big("expires_at").notNull(),
    },
    (t) => [k.index("access_tokens_expiry").on(t.expiresAt)],
  );

  /** Agents that registered with the e-mail address of a user, and wait to be claimed by that user. */
  const registrations = k.table(
    "registrations",
    {
      id: k.text("id").primaryKey(),
      email: k.text("email").notNull(),
      agentName: k.text("agent_name").notNull(),
      scopes: k.text("scopes").notNull(),
      /** pending | claimed | denied | locked | withdrawn */
      status: k.text("status").notNull(),
      claimHash: k.text("claim_hash").notNull(),
      /** Hash of the link that is valid now. */
      attemptHash: k.text("attempt_hash").notNull(),
      codeHash: k.text("code_hash").notNull(),
      codeExpiresAt: k.big("code_expires_at").notNull(),
      wrongCodes: k.int("wrong_codes").notNull(),
      /** Seconds between two polls. */
      interval: k.int("interval").notNull(),
      polledAt: k.big("polled_at"),
      grantId: k.text("grant_id"),
      deliveredAt: k.big("delivered_at"),
      ip: k.text("ip").notNull(),
      createdAt: k.big("created_at").notNull(),
      expiresAt: k.big("expires_at").notNull(),
    },
    (t) => [
      k.unique("registrations_claim").on(t.claimHash),
      k.unique("registrations_attempt").on(t.attemptHash),
      k.index("registrations_expiry").on(t.expiresAt),
    ],
  );

  /** Keys that sign identity assertions; the one that is not retired signs. */
  const signingKeys = k.table("signing_keys", {
    kid: k.text("kid").primaryKey(),
    /** Private JWK as JSON. */
    jwk: k.text("jwk").notNull(),
    createdAt: k.big("created_at").notNull(),
    retiredAt: k.big("retired_at"),
  });

  /**
   * What has changed in an account, or in how a person signs in, for them to read. Append-only, except that old rows are deleted,
   * and the address of somebody who is deleted is.
   */
  const securityEvents = k.table(
    "security_events",
    {
      id: k.serial("id"),
      /** Null: it happened to how the person signs in, whatever the account. */
      accountId: k.text("account_id"),
      /** Who did it, or to whom it happened; null: nobody who is known, such as the operator. */
      personId: k.text("person_id"),
      /** The role that the person had then; null: none in this account. */
      role: k.text("role"),
      /** Id of the key or grant that did it for the person; null: the person did, at the website. */
      credential: k.text("credential"),
      at: k.big("at").notNull(),
      kind: k.text("kind").notNull(),
      /** What it happened to, in words: the name of an app or a key, or a browser. */
      subject: k.text("subject").notNull(),
      /** What or whom it happened to: an id; of an invitation, the address. */
      target: k.text("target"),
      ip: k.text("ip"),
    },
    (t) => [
      k.index("security_events_account").on(t.accountId, t.id),
      k.index("security_events_person").on(t.personId, t.id),
      k.index("security_events_age").on(t.at),
      k.index("security_events_target").on(t.target).where(isNotNull(t.target)),
    ],
  );

  return { clients, grants, codes, refreshTokens, accessTokens, registrations, signingKeys, securityEvents };
}
