import type { Kit } from "../dialect.ts";

/** Who people are at the issuer of OpenID Connect, and sign-ins there that are under way. */
export function identityTables(k: Kit) {
  /** Who a person is at an issuer, by which they sign in. */
  const identities = k.table(
    "identities",
    {
      /** As its ID tokens name it. */
      issuer: k.text("issuer").notNull(),
      /** The issuer's own name for the person, which never changes. */
      subject: k.text("subject").notNull(),
      personId: k.text("person_id").notNull(),
      createdAt: k.big("created_at").notNull(),
      lastUsedAt: k.big("last_used_at").notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.issuer, t.subject] }), k.unique("identities_person").on(t.personId, t.issuer)],
  );

  /** Browsers that went to the issuer and have not come back; a row is deleted when its answer comes. */
  const issuerSignIns = k.table(
    "issuer_sign_ins",
    {
      /** SHA-256 in hex of the state that comes back with the answer. */
      stateHash: k.text("state_hash").primaryKey(),
      /** sign_in | confirm | connect */
      purpose: k.text("purpose").notNull(),
      /** Identifies the browser. */
      visitorHash: k.text("visitor_hash").notNull(),
      /** Local path to continue to. */
      returnTo: k.text("return_to").notNull(),
      createdAt: k.big("created_at").notNull(),
      expiresAt: k.big("expires_at").notNull(),
    },
    (t) => [k.index("issuer_sign_ins_expiry").on(t.expiresAt)],
  );

  return { identities, issuerSignIns };
}
