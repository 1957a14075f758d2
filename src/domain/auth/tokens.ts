import type { Tx } from "../../../db/engine.ts";
import { DAY, MINUTE, SECOND } from "../../platform/clock.ts";
import type { Scope } from "../../platform/principal.ts";
import type { Audience } from "./resources.ts";
import { scopeText } from "./scopes.ts";
import { newSecret } from "./secrets.ts";

/** How long what is handed out is good, in ms (docs/rules.md rule 15). */
export const LIFETIMES = {
  code: 60 * SECOND,
  access: 60 * MINUTE,
  refresh: 30 * DAY,
  assertion: 30 * DAY,
  userCode: 10 * MINUTE,
  registration: DAY,
  /** For an agent to collect what its user allowed in the last moments of a registration. */
  collection: 10 * MINUTE,
} as const;

/** What an app is handed: secrets, and what the access token allows. */
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

/** A new access token of a grant: opaque, and read anew with its grant at every call. @returns the secret */
export async function issueAccessToken(tx: Tx, issue: TokenIssue & { scopes: readonly Scope[] }): Promise<string> {
  const { grantId, audience, scopes, now } = issue;
  const { secret, hash } = newSecret("access");
  const expiresAt = now + LIFETIMES.access;
  await tx.q.insert(tx.t.accessTokens).values({ hash, grantId, audience, scopes: scopeText(scopes), expiresAt });
  return secret;
}

/** A new refresh token of a grant, good once. @returns the secret */
export async function issueRefreshToken(tx: Tx, { grantId, audience, now }: TokenIssue): Promise<string> {
  const { secret, hash } = newSecret("refresh");
  const expiresAt = now + LIFETIMES.refresh;
  await tx.q.insert(tx.t.refreshTokens).values({ hash, grantId, audience, expiresAt, usedAt: null });
  return secret;
}
