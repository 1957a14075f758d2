import { and, eq, gt, lt, ne, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Scope } from "../../platform/principal.ts";
import { scopesIn } from "../credentials/scopes.ts";
import { hashOf, isSecret } from "../credentials/secrets.ts";
import { createGrant } from "../oauth/grants.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import type { RegistrationRow } from "./registrations.ts";
import { MAX_WRONG_CODES, userCodeHash } from "./user-code.ts";

/** Who is signed in where the claim link was opened, and the account that they have chosen. */
export interface Claimant {
  readonly accountId: string;
  readonly personId: string;
  readonly email: string;
  readonly verifiedAt: number | null;
}

/** A user's decision on the claim page. */
export interface ClaimDecision {
  /** The secret of the claim link. */
  readonly attempt: string;
  readonly claimant: Claimant;
  /** The IP address of the user's browser. */
  readonly ip: string;
  readonly now: number;
}

/** `decided_before`: approved, declined or locked before; the registration's status says which. */
type ClaimFailure =
  | { readonly outcome: "link_expired" | "other_account" | "decided_before" | "locked" }
  | { readonly outcome: "wrong_code"; readonly left: number };

/**
 * The registration of a claim link.
 * @returns null when there is no such link, a newer one replaced it, or its code has expired while it was pending
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

/** Whether the claimant may see and decide a registration: its e-mail address is theirs, and verified. */
export function isMeantFor({ email }: RegistrationRow, claimant: Claimant): boolean {
  return claimant.verifiedAt !== null && claimant.email === email;
}

/** Connects the agent if the code is right. Wrong codes are counted; the fifth locks the registration for good. */
export async function approveClaim(
  tx: Tx,
  decision: ClaimDecision & { code: string; scopes: readonly Scope[] },
): Promise<ClaimFailure | { readonly outcome: "claimed"; readonly name: string; readonly scopes: readonly Scope[] }> {
  const { registrations } = tx.t;
  const found = await registrationToDecide(tx, decision);
  if ("outcome" in found) return found;
  const codeHash = userCodeHash(found.id, decision.code);
  const [row] = await tx.q
    .update(registrations)
    .set({ status: "claimed" })
    .where(and(isOpen(tx, found, decision.now), eq(registrations.codeHash, codeHash)))
    .returning();
  if (!row) return countWrongCode(tx, found, decision, codeHash);
  const scopes = scopesIn(row.scopes).filter((scope) => decision.scopes.includes(scope));
  const { accountId, personId } = decision.claimant;
  const agent = { kind: "agent", clientId: null, name: row.agentName, scopes } as const;
  const grantId = await createGrant(tx, { ...agent, accountId, personId, ip: decision.ip, now: decision.now });
  await tx.q.update(registrations).set({ grantId }).where(eq(registrations.id, row.id));
  return { outcome: "claimed", name: row.agentName, scopes };
}

/** Declines the agent, which needs no code and cannot be undone. */
export async function declineClaim(
  tx: Tx,
  decision: ClaimDecision,
): Promise<ClaimFailure | { readonly outcome: "declined" }> {
  const { registrations } = tx.t;
  const found = await registrationToDecide(tx, decision);
  if ("outcome" in found) return found;
  const [row] = await tx.q
    .update(registrations)
    .set({ status: "denied" })
    .where(isOpen(tx, found, decision.now))
    .returning();
  if (!row) return { outcome: "decided_before" };
  await record(tx, "agent_declined", row, decision);
  return { outcome: "declined" };
}

async function registrationToDecide(
  tx: Tx,
  { attempt, claimant, now }: ClaimDecision,
): Promise<RegistrationRow | ClaimFailure> {
  const found = await registrationOfAttempt(tx, attempt, now);
  if (!found) return { outcome: "link_expired" };
  return isMeantFor(found, claimant) ? found : { outcome: "other_account" };
}

async function countWrongCode(
  tx: Tx,
  found: RegistrationRow,
  decision: ClaimDecision,
  codeHash: string,
): Promise<ClaimFailure> {
  const { registrations } = tx.t;
  const { id, wrongCodes } = registrations;
  const [row] = await tx.q
    .update(registrations)
    .set({ wrongCodes: sql`${wrongCodes} + 1` })
    .where(and(isOpen(tx, found, decision.now), ne(registrations.codeHash, codeHash)))
    .returning();
  if (!row) return { outcome: "decided_before" };
  await record(tx, "claim_code_wrong", row, decision);
  const left = MAX_WRONG_CODES - row.wrongCodes;
  if (left > 0) return { outcome: "wrong_code", left };
  await tx.q.update(registrations).set({ status: "locked" }).where(eq(id, row.id));
  await record(tx, "claim_locked", row, decision);
  return { outcome: "locked" };
}

/** The condition that the claim link is still open, for the statement that decides it. */
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
  const { accountId, personId } = claimant;
  await recordSecurityEvent(tx, { accountId, personId, kind, subject: agentName, ip, now });
}
