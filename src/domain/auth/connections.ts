import type { Reader, Tx } from "../../../db/engine.ts";
import { SCOPES, type Scope } from "../../platform/principal.ts";
import { type GrantRow, grantsOf, revokeGrant } from "./grants.ts";
import { scopesIn } from "./scopes.ts";

/** An app or agent that has access to an account, as its owner sees it: one, however often it was connected. */
export interface Connection {
  /** The id of its newest grant. */
  readonly id: string;
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

/** Ends the connection to which a grant belongs, with all its grants. @returns false when the account has no such one */
export async function disconnect(
  tx: Tx,
  accountId: string,
  { grantId, ip, now }: { grantId: string; ip?: string | undefined; now: number },
): Promise<boolean> {
  const groups = byClient(await grantsOf(tx, accountId), now);
  const found = groups.find((grants) => grants.some(({ id }) => id === grantId));
  for (const { id } of found ?? []) await revokeGrant(tx, { grantId: id, by: "owner", ip, now });
  return found !== undefined;
}

/** Grants that are valid, those of one client together. */
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
  const { id, kind, name } = grants[0]!;
  const granted = grants.flatMap(({ scopes }) => scopesIn(scopes));
  const uses = grants.flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
  return {
    id,
    kind,
    name,
    scopes: SCOPES.filter((scope) => granted.includes(scope)),
    connectedAt: grants.map(({ createdAt }) => createdAt),
    lastUsedAt: uses.length === 0 ? null : Math.max(...uses),
  };
}
