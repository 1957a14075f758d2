import { and, eq, isNull } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { revokeHookSecretsOf } from "../credentials/hook-secrets.ts";
import { revokeKeyOf } from "../credentials/keys.ts";
import { revokePushSecretsOf } from "../credentials/push-secrets.ts";
import { type EndedBy, revokeGrant } from "../oauth/grants.ts";
import { accountsOfPerson } from "../people/members.ts";

/** Everything of an account, or what a person has made in all accounts, or in one. */
export type Whose = { readonly accountId: string; readonly personId?: string } | { readonly personId: string };

interface End {
  readonly by: EndedBy;
  /** Who ends it; default: the person whose it is, where it is one person's. */
  readonly doer?: string;
  readonly ip: string;
  readonly now: number;
}

/** Ends the grants of apps and agents, and the API keys. */
export async function revokeCredentials(tx: Tx, whose: Whose, { by, doer, ip, now }: End): Promise<void> {
  const { grants, apiKeys } = tx.t;
  const personId = doer ?? whose.personId;
  const connected = tx.q.select({ id: grants.id }).from(grants);
  for (const { id } of await connected.where(and(isOf(grants, whose), isNull(grants.revokedAt))))
    await revokeGrant(tx, { grantId: id, by, personId, ip, now });
  const made = tx.q.select().from(apiKeys);
  for (const { id: keyId, accountId } of await made.where(and(isOf(apiKeys, whose), isNull(apiKeys.revokedAt))))
    await revokeKeyOf(tx, accountId, { keyId, ...(personId === undefined ? {} : { personId }), ip, now });
}

/** Revokes everything that acts without a password: credentials, and the push addresses and publish hooks of the accounts. */
export async function revokeAccess(tx: Tx, whose: Whose, end: End): Promise<void> {
  await revokeCredentials(tx, whose, end);
  const accounts = "accountId" in whose ? [whose.accountId] : await accountsOfPerson(tx, whose.personId);
  for (const id of accounts) {
    await revokePushSecretsOf(tx, id);
    await revokeHookSecretsOf(tx, id);
  }
}

type Made = Record<"accountId" | "personId", Reader["t"]["grants"]["accountId"]>;

function isOf(made: Reader["t"]["grants"] | Reader["t"]["apiKeys"], whose: Whose) {
  const { accountId, personId } = made as unknown as Made;
  const isOfPerson = whose.personId === undefined ? undefined : eq(personId, whose.personId);
  return and("accountId" in whose ? eq(accountId, whose.accountId) : undefined, isOfPerson);
}
