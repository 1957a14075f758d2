import { and, eq, gt, inArray } from "drizzle-orm";
import type { Engine, Reader } from "../../../db/engine.ts";
import { newId } from "../../platform/ids.ts";
import type { Scope } from "../../platform/principal.ts";
import { addressKey } from "../limits/address-key.ts";
import { consumeLimitIn } from "../limits/window.ts";
import { revokeGrant } from "./grants.ts";
import { scopeText } from "./scopes.ts";
import { hashOf, isSecret, newSecret } from "./secrets.ts";
import { LIFETIMES } from "./tokens.ts";
import { newUserCode, userCodeHash } from "./user-code.ts";

export type RegistrationRow = Reader["t"]["registrations"]["$inferSelect"];

/** Seconds between polls, to begin with (RFC 8628 section 3.2). */
const INTERVAL = 5;

export interface NewRegistration {
  /** Normalised. Whether it has an account makes no difference. */
  readonly email: string;
  readonly agentName: string;
  readonly scopes: readonly Scope[];
  readonly ip: string;
  readonly now: number;
}

/** What the agent shows its user. Times in ms, `interval` in seconds. */
export interface ClaimAttempt {
  readonly registrationId: string;
  /** Names the attempt; it opens nothing. */
  readonly attemptId: string;
  /** Stands in the link. */
  readonly attempt: string;
  /** Never stands in the link: who types it has it from the agent. */
  readonly userCode: string;
  readonly codeExpiresAt: number;
  readonly interval: number;
}

/** Registers an agent that knows its user's address. @throws Refusal rate_limited */
export async function registerAgent(
  db: Engine,
  { scopes, now, ...of }: NewRegistration,
): Promise<ClaimAttempt & { claimToken: string; expiresAt: number }> {
  const id = newId("reg");
  const claim = newSecret("claim");
  const expiresAt = now + LIFETIMES.registration;
  const { columns, shown } = newAttempt(id, expiresAt, now);
  const state = { status: "pending", wrongCodes: 0, interval: INTERVAL, polledAt: null, grantId: null };
  await db.tx(async (tx) => {
    await consumeLimitIn(tx, addressKey(of.ip), "agent_registrations", now);
    await consumeLimitIn(tx, of.email, "agent_registrations_per_person", now);
    await tx.q.insert(tx.t.registrations).values({
      ...of,
      ...state,
      ...columns,
      id,
      scopes: scopeText(scopes),
      claimHash: claim.hash,
      deliveredAt: null,
      createdAt: now,
      expiresAt,
    });
  });
  return { ...shown, interval: INTERVAL, claimToken: claim.secret, expiresAt };
}

/** The registration that a claim token is of. */
export async function registrationOf(db: Reader, claimToken: string): Promise<RegistrationRow | null> {
  if (!isSecret("claim", claimToken)) return null;
  const { registrations } = db.t;
  const [row] = await db.q
    .select()
    .from(registrations)
    .where(eq(registrations.claimHash, hashOf(claimToken)));
  return row ?? null;
}

/**
 * A new code and link; the link before is dead from now on. Wrong codes stay counted.
 * @returns why not: the registration is over, or was answered
 */
export async function reissueAttempt(
  db: Engine,
  { id, expiresAt }: RegistrationRow,
  now: number,
): Promise<ClaimAttempt | "expired" | "answered"> {
  const { columns, shown } = newAttempt(id, expiresAt, now);
  return db.tx(async (tx) => {
    const { registrations } = tx.t;
    const isOpen = and(eq(registrations.id, id), eq(registrations.status, "pending"));
    const [row] = await tx.q
      .update(registrations)
      .set(columns)
      .where(and(isOpen, gt(registrations.expiresAt, now)))
      .returning();
    if (row) return { ...shown, interval: row.interval };
    const [open] = await tx.q.select({ id: registrations.id }).from(registrations).where(isOpen);
    return open ? "expired" : "answered";
  });
}

/** Ends a registration by whoever holds its claim token, and the agent's grant if it was claimed. @returns whether there was one */
export async function withdrawRegistration(
  db: Engine,
  claimToken: string,
  at: { ip: string; now: number },
): Promise<boolean> {
  const registration = await registrationOf(db, claimToken);
  if (!registration) return false;
  await db.tx(async (tx) => {
    const { registrations } = tx.t;
    const [ended] = await tx.q
      .update(registrations)
      .set({ status: "withdrawn" })
      .where(and(eq(registrations.id, registration.id), inArray(registrations.status, ["pending", "claimed"])))
      .returning();
    if (ended?.grantId) await revokeGrant(tx, { grantId: ended.grantId, by: "token_revoked", ...at });
  });
  return true;
}

/** A link and a code. The code of the last minutes ends with the registration. */
function newAttempt(registrationId: string, expiresAt: number, now: number) {
  const { secret, hash } = newSecret("attempt");
  const userCode = newUserCode();
  const codeExpiresAt = Math.min(now + LIFETIMES.userCode, expiresAt);
  return {
    columns: { attemptHash: hash, codeHash: userCodeHash(registrationId, userCode), codeExpiresAt },
    shown: { registrationId, attemptId: `cla_${hash.slice(0, 20)}`, attempt: secret, userCode, codeExpiresAt },
  };
}
