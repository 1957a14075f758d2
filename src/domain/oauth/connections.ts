import type { Reader, Tx } from "../../../db/engine.ts";
import { SCOPES, type Scope } from "../../platform/principal.ts";
import { scopesIn } from "../credentials/scopes.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { setLimits } from "../spending/budgets.ts";
import type { SpendingLimits } from "../spending/limits.ts";
import { type GrantRow, grantsOf, revokeGrant } from "./grants.ts";

/** An app or agent that has access to an account, as its owner sees it: one, however often it was connected. */
export interface Connection {
  /** The id of its newest grant. */
  readonly id: string;
  /** Whose budget it spends. */
  readonly holder: string;
  readonly kind: string;
  /** As it named itself last. */
  readonly name: string;
  /** All that it may do, by any of its grants. */
  readonly scopes: readonly Scope[];
  /** When it was connected, newest first; several times where it runs on several machines, or was connected again. */
  readonly connectedAt: readonly number[];
  readonly lastUsedAt: number | null;
}

/**
 * The apps and agents that are connected to an account, the one that was connected last first. Grants of one client are
 * one connection. A grant whose tokens have all expired connects nothing; one whose agent has yet to collect them does.
 */
export async function connectionsOf(db: Reader, accountId: string, now: number): Promise<Connection[]> {
  return byClient(await grantsOf(db, accountId), now).map(connectionOf);
}

/**
 * Ends the connection to which a grant belongs, with all its grants.
 * @param end.onlyOf ends what this person has connected, and no more
 * @returns false when there is no such one
 */
export async function disconnect(
  tx: Tx,
  accountId: string,
  {
    grantId,
    onlyOf,
    now,
    ...by
  }: { grantId: string; onlyOf?: string | undefined; personId?: string; ip?: string | undefined; now: number },
): Promise<boolean> {
  const grants = (await grantsOf(tx, accountId)).filter(({ personId }) => onlyOf === undefined || personId === onlyOf);
  const found = byClient(grants, now).find((group) => group.some(({ id }) => id === grantId));
  for (const { id } of found ?? []) await revokeGrant(tx, { grantId: id, by: "owner", ...by, now });
  return found !== undefined;
}

/** The connection to which a grant belongs, if it is valid. */
export async function connectionOfGrant(
  db: Reader,
  accountId: string,
  { grantId, now }: { grantId: string; now: number },
): Promise<Connection | null> {
  const groups = byClient(await grantsOf(db, accountId), now);
  const found = groups.find((grants) => grants.some(({ id }) => id === grantId));
  return found ? connectionOf(found) : null;
}

/** Changes what an app or agent may spend, and its end. @returns false when the account has no such connection */
export async function changeTerms(
  tx: Tx,
  accountId: string,
  { grantId, terms, ...by }: { grantId: string; terms: Terms; personId?: string; ip?: string | undefined; now: number },
): Promise<boolean> {
  const connection = await connectionOfGrant(tx, accountId, { grantId, now: by.now });
  if (!connection) return false;
  await setLimits(tx, { accountId, holder: connection.holder }, terms);
  await recordSecurityEvent(tx, {
    accountId,
    kind: "limits_changed",
    subject: connection.name,
    target: grantId,
    ...by,
  });
  return true;
}

type Terms = SpendingLimits & { readonly expiresAt: number | null };

/** Valid grants, grouped by client. */
function byClient(grants: readonly GrantRow[], now: number): GrantRow[][] {
  const groups = new Map<string, GrantRow[]>();
  for (const grant of grants) {
    if (grant.endsAt !== null && grant.endsAt <= now) continue;
    const key = grant.clientId ?? grant.id;
    const group = groups.get(key);
    if (group) group.push(grant);
    else groups.set(key, [grant]);
  }
  return [...groups.values()];
}

function connectionOf(grants: readonly GrantRow[]): Connection {
  const { id, holder, kind, name } = grants[0]!;
  const granted = grants.flatMap(({ scopes }) => scopesIn(scopes));
  const uses = grants.flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
  return {
    id,
    holder,
    kind,
    name,
    scopes: SCOPES.filter((scope) => granted.includes(scope)),
    connectedAt: grants.map(({ createdAt }) => createdAt),
    lastUsedAt: uses.length === 0 ? null : Math.max(...uses),
  };
}
