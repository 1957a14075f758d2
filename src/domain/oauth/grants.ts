import { and, desc, eq, isNull, lt, or } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { newId } from "../../platform/ids.ts";
import type { Scope } from "../../platform/principal.ts";
import { endItsWork } from "../credentials/ended-credential.ts";
import { oldestOwner } from "../credentials/owner.ts";
import { scopeText } from "../credentials/scopes.ts";
import { recordEvents } from "../events/record.ts";
import { recordSecurityEvent, type SecurityEvent } from "../security-log/security-log.ts";
import { holderOf } from "../spending/holder.ts";

export type GrantRow = Reader["t"]["grants"]["$inferSelect"];

/** Why a grant ended. */
export type EndedBy =
  | "owner"
  | "token_revoked"
  | "code_reused"
  | "refresh_reused"
  | "never_collected"
  | "password_reset"
  | "address_undone"
  | "account_deleted"
  | "member_removed"
  | "expired";

export interface NewGrant {
  readonly accountId: string;
  /** Who connects it; default: the oldest owner. */
  readonly personId?: string;
  /** An app that signed in by OAuth, or an agent that was claimed. */
  readonly kind: "oauth" | "agent";
  readonly clientId: string | null;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly ip?: string | undefined;
  readonly now: number;
}

/** Connects an app or agent to an account. All its tokens belong to the grant. @returns the id of the grant */
export async function createGrant(tx: Tx, { scopes, ip, now, ...grant }: NewGrant): Promise<string> {
  const id = newId("grt");
  const personId = grant.personId ?? (await oldestOwner(tx, grant.accountId));
  const row = { ...grant, personId, holder: holderOf(grant), scopes: scopeText(scopes), createdAt: now };
  await tx.q.insert(tx.t.grants).values({ ...row, id });
  const kind = grant.kind === "agent" ? "agent_connected" : "app_connected";
  const { accountId } = grant;
  await recordSecurityEvent(tx, { accountId, personId, kind, subject: grant.name, target: id, ip, now });
  const type = grant.kind === "agent" ? "agent.connected" : "app.connected";
  const data = { connection_id: id, name: grant.name, scopes };
  await recordEvents(tx, accountId, [{ type, data }], now);
  return id;
}

/** Ends a grant, so that all its tokens are refused from now on. @returns false when it had ended before */
export async function revokeGrant(
  tx: Tx,
  end: { grantId: string; by: EndedBy; personId?: string | undefined; ip?: string | undefined; now: number },
): Promise<boolean> {
  const { grants } = tx.t;
  const [row] = await tx.q
    .update(grants)
    .set({ revokedAt: end.now, endedBy: end.by })
    .where(and(eq(grants.id, end.grantId), isNull(grants.revokedAt)))
    .returning();
  if (!row) return false;
  const { by, personId, ip, now } = end;
  const { accountId, name: subject } = row;
  await recordSecurityEvent(tx, { accountId, personId, kind: eventOf(by), subject, target: row.id, ip, now });
  await endItsWork(tx, { accountId, maker: row.id, now });
  return true;
}

function eventOf(by: EndedBy): SecurityEvent {
  if (by === "expired") return "access_expired";
  return by === "code_reused" || by === "refresh_reused" ? "token_reused" : "disconnected";
}

/** Records that a token of a grant is valid until then: the grant ends with the last of its tokens. */
export async function extendGrant(tx: Tx, grantId: string, until: number): Promise<void> {
  const { grants } = tx.t;
  await tx.q
    .update(grants)
    .set({ endsAt: until })
    .where(and(eq(grants.id, grantId), or(isNull(grants.endsAt), lt(grants.endsAt, until))))
    .returning({ id: grants.id });
}

/** A grant that was not revoked, of the given account if there is one; null when there is none. */
export async function grantOf(db: Reader, grantId: string, accountId?: string): Promise<GrantRow | null> {
  const { grants } = db.t;
  const isOwn = accountId === undefined ? undefined : eq(grants.accountId, accountId);
  const [row] = await db.q
    .select()
    .from(grants)
    .where(and(eq(grants.id, grantId), isNull(grants.revokedAt), isOwn));
  return row ?? null;
}

/** An account's grants that were not revoked, newest first; the tokens of some may all have expired. */
export async function grantsOf(db: Reader, accountId: string): Promise<GrantRow[]> {
  const { grants } = db.t;
  return db.q
    .select()
    .from(grants)
    .where(and(eq(grants.accountId, accountId), isNull(grants.revokedAt)))
    .orderBy(desc(grants.createdAt), desc(grants.id));
}
