import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import type { Scope } from "../../platform/principal.ts";
import { signAssertion } from "./assertion.ts";
import { grantOf } from "./grants.ts";
import { type RegistrationRow, registrationOf } from "./registrations.ts";
import type { Audience } from "./resources.ts";
import { scopesIn } from "./scopes.ts";
import { issueAccessToken, LIFETIMES } from "./tokens.ts";

/** Seconds that a poll which came too early adds to the interval, for good (RFC 8628 section 3.5), up to `most`. */
const SLOWER = { by: 5, most: 60 } as const;

export interface PollRequest {
  readonly claimToken: string;
  readonly siteUrl: string;
  /** Of the access token. */
  readonly audience: Audience;
  readonly now: number;
}

/** Why an agent gets nothing; it goes on asking after `pending` and `too_fast` only. */
export type PollRefusal = "unknown" | "used" | "disconnected" | "denied" | "expired" | "too_fast" | "pending";

/** What an agent is handed once. */
export interface AgentTokens {
  readonly access: string;
  readonly scopes: readonly Scope[];
  readonly assertion: string;
  /** In ms. */
  readonly assertionExpiresAt: number;
}

/** Answers an agent that asks whether its user has allowed it. What was allowed is never held back for the pace. */
export async function pollRegistration(db: Engine, of: PollRequest): Promise<AgentTokens | PollRefusal> {
  const registration = await registrationOf(db, of.claimToken);
  if (!registration) return "unknown";
  const { status, deliveredAt, codeExpiresAt, expiresAt } = registration;
  if (deliveredAt !== null) return "used";
  if (status !== "pending" && status !== "claimed") return "denied";
  if (expiresAt + (status === "claimed" ? LIFETIMES.collection : 0) <= of.now) return "expired";
  if (status === "claimed") return deliver(db, registration, of);
  if (codeExpiresAt <= of.now) return "expired";
  return db.tx((tx) => pace(tx, registration, of.now));
}

/** Signs first, since the writer waits for nobody; of several polls at once, one takes what is there. */
async function deliver(db: Engine, registration: RegistrationRow, of: PollRequest): Promise<AgentTokens | PollRefusal> {
  const { siteUrl, audience, now } = of;
  const grantId = registration.grantId!;
  const signed = await signAssertion(db, { siteUrl, registrationId: registration.id, grantId, now });
  return db.tx(async (tx) => {
    const { registrations, grants } = tx.t;
    const [taken] = await tx.q
      .update(registrations)
      .set({ deliveredAt: now })
      .where(
        and(
          eq(registrations.id, registration.id),
          eq(registrations.status, "claimed"),
          isNull(registrations.deliveredAt),
        ),
      )
      .returning();
    if (!taken) return "used";
    const grant = await grantOf(tx, grantId);
    if (!grant) return "disconnected";
    await tx.q.update(grants).set({ assertionHash: signed.jtiHash }).where(eq(grants.id, grantId));
    const scopes = scopesIn(grant.scopes);
    const access = await issueAccessToken(tx, { grantId, audience, scopes, now });
    return { access, scopes, assertion: signed.assertion, assertionExpiresAt: signed.expiresAt };
  });
}

async function pace(tx: Tx, { id }: RegistrationRow, now: number): Promise<PollRefusal> {
  const { registrations } = tx.t;
  const { polledAt, interval } = registrations;
  const isMine = and(eq(registrations.id, id), eq(registrations.status, "pending"));
  const isTime = or(isNull(polledAt), lte(sql`${polledAt} + ${interval} * 1000`, now));
  const inTime = await tx.q.update(registrations).set({ polledAt: now }).where(and(isMine, isTime)).returning();
  if (inTime.length > 0) return "pending";
  const tooFast = await tx.q
    .update(registrations)
    .set({
      polledAt: now,
      interval: sql`CASE WHEN ${interval} >= ${SLOWER.most} THEN ${interval} ELSE ${interval} + ${SLOWER.by} END`,
    })
    .where(isMine)
    .returning();
  // Answered in this very moment: the next poll hears it.
  return tooFast.length > 0 ? "too_fast" : "pending";
}
