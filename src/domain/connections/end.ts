import { and, asc, eq, isNotNull, isNull, ne } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { type ConnectionRow, connectionsOf, shownName } from "./connections.ts";

interface End {
  readonly accountId: string;
  /** Who ends it. */
  readonly personId: string;
  /** Only one of this person; absent: of anybody. */
  readonly onlyOf?: string | undefined;
  readonly ip: string;
  readonly now: number;
}

/** Ends a connection at once. What it gave access to is revoked next. @returns false: the account has no such connection */
export async function endConnection(
  tx: Tx,
  { accountId, personId, onlyOf, id, ip, now }: End & { readonly id: string },
): Promise<boolean> {
  const { connections } = tx.t;
  const isMeant = and(eq(connections.id, id), onlyOf === undefined ? undefined : eq(connections.personId, onlyOf));
  const isIts = and(eq(connections.accountId, accountId), isMeant, isNull(connections.endedAt));
  const [row] = await tx.q.update(connections).set({ endedAt: now }).where(isIts).returning();
  const change = { kind: "connection_ended", target: id, ip, now } as const;
  if (row) await recordSecurityEvent(tx, { accountId, personId, ...change, subject: shownName(row) });
  return row !== undefined;
}

/** Ends all connections of an account whose deletion was requested, or of a person who is removed from it. */
export async function endConnectionsOf(tx: Tx, end: End): Promise<void> {
  for (const { id } of await connectionsOf(tx, end.accountId)) await endConnection(tx, { ...end, id });
}

/** The connections that were ended and are not revoked at the other side yet. @param accountId null: of all accounts */
export async function endedConnections(
  { q, t: { connections } }: Reader,
  accountId: string | null,
): Promise<ConnectionRow[]> {
  const isIts = accountId === null ? undefined : eq(connections.accountId, accountId);
  const isEnded = and(isNotNull(connections.endedAt), isIts);
  return q.select().from(connections).where(isEnded).orderBy(asc(connections.endedAt)).limit(100);
}

/** Whether another connection, of any account, is to the same Google account: revoking one would end both. */
export async function isShared(
  { q, t: { connections } }: Reader,
  of: { id?: string; subject: string },
): Promise<boolean> {
  const isOther = of.id === undefined ? undefined : ne(connections.id, of.id);
  const isSame = and(eq(connections.kind, "search_console"), eq(connections.subject, of.subject), isOther);
  const rows = await q
    .select({ id: connections.id })
    .from(connections)
    .where(and(isSame, isNull(connections.endedAt)))
    .limit(1);
  return rows.length > 0;
}

/** Deletes what was ended. */
export async function forgetConnection({ q, t: { connections } }: Tx, id: string): Promise<void> {
  await q.delete(connections).where(and(eq(connections.id, id), isNotNull(connections.endedAt)));
}
