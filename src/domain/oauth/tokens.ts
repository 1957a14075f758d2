import type { Tx } from "../../../db/engine.ts";
import { DAY, MINUTE, SECOND } from "../../platform/clock.ts";
import type { Scope } from "../../platform/principal.ts";
import type { Audience } from "../credentials/resources.ts";
import { scopeText } from "../credentials/scopes.ts";
import { newSecret } from "../credentials/secrets.ts";
import { extendGrant } from "./grants.ts";

/** Lifetimes of codes, tokens and registrations, in ms (docs/rules.md rule 15). */
export const LIFETIMES = {
  code: 60 * SECOND,
  access: 60 * MINUTE,
  refresh: 30 * DAY,
  assertion: 30 * DAY,
  userCode: 10 * MINUTE,
  registration: DAY,
  /** Extra time for an agent to collect its tokens, if the user approved just before the registration expired. */
  collection: 10 * MINUTE,
} as const;

/** The tokens issued to an app, and the scopes of the access token. */
export interface IssuedTokens {
  readonly access: string;
  readonly refresh: string;
  readonly scopes: readonly Scope[];
}

export interface TokenIssue {
  readonly grantId: string;
  readonly audience: Audience;
  readonly now: number;
}

/** Issues an access token of a grant: opaque, looked up with its grant at every call. @returns the secret */
export async function issueAccessToken(tx: Tx, issue: TokenIssue & { scopes: readonly Scope[] }): Promise<string> {
  const { grantId, audience, scopes, now } = issue;
  const { secret, hash } = newSecret("access");
  const expiresAt = now + LIFETIMES.access;
  await tx.q.insert(tx.t.accessTokens).values({ hash, grantId, audience, scopes: scopeText(scopes), expiresAt });
  await extendGrant(tx, grantId, expiresAt);
  return secret;
}

/** Issues a refresh token of a grant, valid once. @returns the secret */
export async function issueRefreshToken(tx: Tx, { grantId, audience, now }: TokenIssue): Promise<string> {
  const { secret, hash } = newSecret("refresh");
  const expiresAt = now + LIFETIMES.refresh;
  await tx.q
    .insert(tx.t.refreshTokens)
    .values({ hash, grantId, audience, expiresAt, usedAt: null, sealedSuccessor: null });
  await extendGrant(tx, grantId, expiresAt);
  return secret;
}
