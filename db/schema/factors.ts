import type { Kit } from "../dialect.ts";

/** What a person has besides the password: passkeys, an authenticator app, recovery codes. */
export function factorTables(k: Kit) {
  /** WebAuthn credentials (WebAuthn level 3 section 4, credential record). */
  const passkeys = k.table(
    "passkeys",
    {
      id: k.text("id").primaryKey(),
      personId: k.text("person_id").notNull(),
      /** In base64url, as is the COSE key below. */
      credentialId: k.text("credential_id").notNull(),
      publicKey: k.text("public_key").notNull(),
      /** The last signature counter; 0 where the authenticator has none. */
      signCount: k.big("sign_count").notNull(),
      /** Space-separated hints how it is reached: internal, hybrid, usb, … */
      transports: k.text("transports").notNull(),
      /** Whether it is synchronised to other devices of the person. */
      isBackedUp: k.bool("is_backed_up").notNull(),
      name: k.text("name").notNull(),
      createdAt: k.big("created_at").notNull(),
      lastUsedAt: k.big("last_used_at"),
    },
    (t) => [k.unique("passkeys_credential").on(t.credentialId), k.index("passkeys_person").on(t.personId)],
  );

  /** The authenticator app of a person (RFC 6238), who has at most one. */
  const authenticatorApps = k.table("authenticator_apps", {
    personId: k.text("person_id").primaryKey(),
    /** The shared secret in base 32, sealed by SECRETS_KEY. */
    sealedSecret: k.text("sealed_secret").notNull(),
    /** The time step of the last code that was accepted: no code is accepted twice. */
    lastStep: k.big("last_step").notNull(),
    /** Wrong codes since the last right one. */
    wrongCodes: k.int("wrong_codes").notNull(),
    createdAt: k.big("created_at").notNull(),
    lastUsedAt: k.big("last_used_at"),
  });

  /** Codes that replace a factor once each; SHA-256 in hex, since each has 120 random bits. */
  const recoveryCodes = k.table(
    "recovery_codes",
    {
      personId: k.text("person_id").notNull(),
      hash: k.text("hash").notNull(),
      createdAt: k.big("created_at").notNull(),
      usedAt: k.big("used_at"),
    },
    (t) => [k.primaryKey({ columns: [t.personId, t.hash] })],
  );

  /** Challenges of WebAuthn ceremonies under way; a row is deleted when it is used. */
  const passkeyChallenges = k.table(
    "passkey_challenges",
    {
      challenge: k.text("challenge").primaryKey(),
      /** register | authenticate */
      purpose: k.text("purpose").notNull(),
      /** Identifies the browser that started the ceremony. */
      visitorHash: k.text("visitor_hash").notNull(),
      expiresAt: k.big("expires_at").notNull(),
    },
    (t) => [k.index("passkey_challenges_expiry").on(t.expiresAt)],
  );

  /** Browsers in which a password was right, and which have to show a factor before a session is opened. */
  const pendingSignIns = k.table(
    "pending_sign_ins",
    {
      /** SHA-256 in hex of the cookie that the browser got for it. */
      hash: k.text("hash").primaryKey(),
      personId: k.text("person_id").notNull(),
      expiresAt: k.big("expires_at").notNull(),
    },
    (t) => [k.index("pending_sign_ins_person").on(t.personId), k.index("pending_sign_ins_expiry").on(t.expiresAt)],
  );

  /** Requests to remove all factors of a person who has lost them; carried out when due, unless cancelled. */
  const factorRemovals = k.table(
    "factor_removals",
    {
      personId: k.text("person_id").primaryKey(),
      /** SHA-256 in hex of the secret in the mailed link that cancels it. */
      cancelHash: k.text("cancel_hash").notNull(),
      requestedAt: k.big("requested_at").notNull(),
      dueAt: k.big("due_at").notNull(),
      /** When the last reminder was mailed. */
      remindedAt: k.big("reminded_at").notNull(),
    },
    (t) => [k.unique("factor_removals_cancel").on(t.cancelHash), k.index("factor_removals_due").on(t.dueAt)],
  );

  return { passkeys, authenticatorApps, recoveryCodes, passkeyChallenges, pendingSignIns, factorRemovals };
}
