import { and, eq, gt, lt, ne, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Scope } from "../../platform/principal.ts";
import { recordSecurityEvent } from "./events.ts";
import { createGrant } from "./grants.ts";
import type { RegistrationRow } from "./registrations.ts";
import { scopesIn } from "./scopes.ts";
import { hashOf, isSecret } from "./secrets.ts";
import { MAX_WRONG_CODES, userCodeHash } from "./user-code.ts";

/** The account that is signed in where a link was opened. */
export interface Claimant {
  readonly accountId: string;
  readonly email: string;
  readonly verifiedAt: number | null;
}

/** What a user does on the page of a link. */
export interface ClaimDecision {
  readonly attempt: string;
  readonly claimant: Claimant;
  /** Of the user's browser. */
  readonly ip: string;
  readonly now: number;
}

/** `decided_before`: answered before, or locked; the registration says which. */
type ClaimFailure =
  | { readonly outcome: "link_expired" | "other_account" | "decided_before" | "locked" }
  | { readonly outcome: "wrong_code"; readonly left: number };

/**
 * What a link leads to.
 * @returns null when there is no such link, a newer one took its place, or its code has expired unanswered
 */
export async function registrationOfAttempt(db: Reader, attempt: string, now: number): Promise<RegistrationRow | null> {
  if (!isSecret("attempt", attempt)) return null;
  const { registrations } = db.t;
  const [row] = await db.q
    .select()
    .from(registrations)
    .where(eq(registrations.attemptHash, hashOf(attempt)));
  return row && (row.status !== "pending" || row.codeExpiresAt > now) ? row : null;
}

/** Only the user who was named may see or answer, and only when the address is known to be theirs. */
export function isMeantFor({ email }: RegistrationRow, claimant: Claimant): boolean {
  return claimant.verifiedAt !== null && claimant.email === email;
}

/** Connects the agent, if the code is right. A wrong one is counted, and the fifth locks the registration for good. */
export async function approveClaim(
  tx: Tx,
  act: ClaimDecision & { code: string; scopes: readonly Scope[] },
): Promise<ClaimFailure | { readonly outcome: "claimed"; readonly name: string; readonly scopes: readonly Scope[] }> {
  const { registrations } = tx.t;
  const found = await answerable(tx, act);
  if ("outcome" in found) return found;
  const codeHash = userCodeHash(found.id, act.code);
  const [row] = await tx.q
    .update(registrations)
    .set({ status: "claimed" })
    .where(and(isOpen(tx, found, act.now), eq(registrations.codeHash, codeHash)))
    .returning();
  if (!row) return countWrong(tx, found, act, codeHash);
  const scopes = scopesIn(row.scopes).filter((scope) => act.scopes.includes(scope));
  const { accountId } = act.claimant;
  const agent = { kind: "agent", clientId: null, name: row.agentName, scopes } as const;
  const grantId = await createGrant(tx, { ...agent, accountId, ip: act.ip, now: act.now });
  await tx.q.update(registrations).set({ grantId }).where(eq(registrations.id, row.id));
  return { outcome: "claimed", name: row.agentName, scopes };
}

/** Says no for good; that takes no code. */
export async function declineClaim(
  tx: Tx,
  act: ClaimDecision,
): Promise<ClaimFailure | { readonly outcome: "declined" }> {
  const { registrations } = tx.t;
  const found = await answerable(tx, act);
  if ("outcome" in found) return found;
  const [row] = await tx.q
    .update(registrations)
    .set({ status: "denied" })
    .where(isOpen(tx, found, act.now))
    .returning();
  if (!row) return { outcome: "decided_before" };
  await record(tx, "agent_declined", row, act);
  return { outcome: "declined" };
}

async function answerable(tx: Tx, { attempt, claimant, now }: ClaimDecision): Promise<RegistrationRow | ClaimFailure> {
  const found = await registrationOfAttempt(tx, attempt, now);
  if (!found) return { outcome: "link_expired" };
  return isMeantFor(found, claimant) ? found : { outcome: "other_account" };
}

async function countWrong(tx: Tx, found: RegistrationRow, act: ClaimDecision, codeHash: string): Promise<ClaimFailure> {
  const { registrations } = tx.t;
  const { id, wrongCodes } = registrations;
  const [row] = await tx.q
    .update(registrations)
    .set({ wrongCodes: sql`${wrongCodes} + 1` })
    .where(and(isOpen(tx, found, act.now), ne(registrations.codeHash, codeHash)))
    .returning();
  if (!row) return { outcome: "decided_before" };
  await record(tx, "claim_code_wrong", row, act);
  const left = MAX_WRONG_CODES - row.wrongCodes;
  if (left > 0) return { outcome: "wrong_code", left };
  await tx.q.update(registrations).set({ status: "locked" }).where(eq(id, row.id));
  await record(tx, "claim_locked", row, act);
  return { outcome: "locked" };
}

/** Whether the very link that was opened can still be answered, asked in the statement that answers it. */
function isOpen({ t: { registrations } }: Tx, { id, attemptHash }: RegistrationRow, now: number) {
  return and(
    eq(registrations.id, id),
    eq(registrations.attemptHash, attemptHash),
    eq(registrations.status, "pending"),
    gt(registrations.codeExpiresAt, now),
    lt(registrations.wrongCodes, MAX_WRONG_CODES),
  );
}

type Kind = "agent_declined" | "claim_code_wrong" | "claim_locked";

async function record(
  tx: Tx,
  kind: Kind,
  { agentName }: RegistrationRow,
  { claimant, ip, now }: ClaimDecision,
): Promise<void> {
  await recordSecurityEvent(tx, { accountId: claimant.accountId, kind, subject: agentName, ip, now });
}
