import type { Kit } from "../dialect.ts";

/** People, and the accounts that they are members of. How a person signs in hangs on the person (users.ts, factors.ts). */
export function peopleTables(k: Kit) {
  /** Every person is a member of an account: whoever leaves the last one is deleted. */
  const people = k.table(
    "people",
    {
      id: k.text("id").primaryKey(),
      email: k.text("email").notNull(),
      /** When a mailed link proved the address. */
      verifiedAt: k.big("verified_at"),
      /** argon2id in PHC form; null where the person does not sign in by password. */
      passwordHash: k.text("password_hash"),
      /** Whether a sign-in by password asks for a passkey or a code too. */
      isFactorRequired: k.bool("is_factor_required").notNull().default(false),
      createdAt: k.big("created_at").notNull(),
    },
    (t) => [k.unique("people_email").on(t.email)],
  );

  const members = k.table(
    "members",
    {
      accountId: k.text("account_id").notNull(),
      personId: k.text("person_id").notNull(),
      /** One of ROLES (src/platform/roles.ts). */
      role: k.text("role").notNull(),
      joinedAt: k.big("joined_at").notNull(),
      /** When the person last chose this account to work in. */
      chosenAt: k.big("chosen_at").notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.accountId, t.personId] }), k.index("members_person").on(t.personId)],
  );

  /** A person may become a member of the account by it, once: by signing in with this address, and no other. */
  const invitations = k.table(
    "invitations",
    {
      id: k.text("id").primaryKey(),
      accountId: k.text("account_id").notNull(),
      email: k.text("email").notNull(),
      role: k.text("role").notNull(),
      /** Who invites. */
      personId: k.text("person_id").notNull(),
      createdAt: k.big("created_at").notNull(),
      expiresAt: k.big("expires_at").notNull(),
    },
    (t) => [
      k.unique("invitations_email").on(t.accountId, t.email),
      k.index("invitations_address").on(t.email),
      k.index("invitations_expiry").on(t.expiresAt),
    ],
  );

  return { people, members, invitations };
}
