import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import type { Scope } from "../../platform/principal.ts";
import type { Audience } from "../credentials/resources.ts";
import { scopesIn } from "../credentials/scopes.ts";
import { signAssertion } from "../oauth/assertion.ts";
import { extendGrant, grantOf } from "../oauth/grants.ts";
import { issueAccessToken, LIFETIMES } from "../oauth/tokens.ts";
import { type RegistrationRow, registrationOf } from "./registrations.ts";

/** Seconds that each early poll adds to the interval (RFC 8628 section 3.5), until it is `most`. */
const SLOW_DOWN = { by: 5, most: 60 } as const;

export interface PollRequest {
  readonly claimToken: string;
  readonly siteUrl: string;
  /** The audience of the access token. */
  readonly audience: Audience;
  readonly now: number;
}

/** Why an agent gets no tokens. It may poll again only after `pending` and `too_fast`. */
export type PollRefusal = "unknown" | "used" | "disconnected" | "denied" | "expired" | "too_fast" | "pending";

/** The tokens of an agent, delivered once. */
export interface AgentTokens {
  readonly access: string;
  readonly scopes: readonly Scope[];
  readonly assertion: string;
  /** In ms. */
  readonly assertionExpiresAt: number;
}

/** Answers an agent's poll. Once the user has approved, tokens are delivered even if the agent polls too fast. */
export async function pollRegistration(db: Engine, request: PollRequest): Promise<AgentTokens | PollRefusal> {
  const registration = await registrationOf(db, request.claimToken);
  if (!registration) return "unknown";
  const { status, deliveredAt, codeExpiresAt, expiresAt } = registration;
  if (deliveredAt !== null) return "used";
  if (status !== "pending" && status !== "claimed") return "denied";
  if (expiresAt + (status === "claimed" ? LIFETIMES.collection : 0) <= request.now) return "expired";
  if (status === "claimed") return deliver(db, registration, request);
  if (codeExpiresAt <= request.now) return "expired";
  return db.tx((tx) => recordPoll(tx, registration, request.now));
}

/** Signs before the transaction, to keep the transaction short. Only one of several simultaneous polls gets the tokens. */
async function deliver(
  db: Engine,
  registration: RegistrationRow,
  request: PollRequest,
): Promise<AgentTokens | PollRefusal> {
  const { siteUrl, audience, now } = request;
  const grantId = registration.grantId!;
  const signed = await signAssertion(db, { siteUrl, registrationId: registration.id, grantId, now });
  return db.tx(async (tx) => {
    const { registrations, grants } = tx.t;
    const [delivered] = await tx.q
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
    if (!delivered) return "used";
    const grant = await grantOf(tx, grantId);
    if (!grant) return "disconnected";
    await tx.q.update(grants).set({ assertionHash: signed.jtiHash }).where(eq(grants.id, grantId));
    await extendGrant(tx, grantId, signed.expiresAt);
    const scopes = scopesIn(grant.scopes);
    const access = await issueAccessToken(tx, { grantId, audience, scopes, now });
    return { access, scopes, assertion: signed.assertion, assertionExpiresAt: signed.expiresAt };
  });
}

/** Records a poll, and lengthens the interval if it came too early. */
async function recordPoll(tx: Tx, { id }: RegistrationRow, now: number): Promise<PollRefusal> {
  const { registrations } = tx.t;
  const { polledAt, interval } = registrations;
  const isPending = and(eq(registrations.id, id), eq(registrations.status, "pending"));
  const isDue = or(isNull(polledAt), lte(sql`${polledAt} + ${interval} * 1000`, now));
  const inTime = await tx.q.update(registrations).set({ polledAt: now }).where(and(isPending, isDue)).returning();
  if (inTime.length > 0) return "pending";
  const tooFast = await tx.q
    .update(registrations)
    .set({
      polledAt: now,
      interval: sql`CASE WHEN ${interval} >= ${SLOW_DOWN.most} THEN ${interval} ELSE ${interval} + ${SLOW_DOWN.by} END`,
    })
    .where(isPending)
    .returning();
  // No row: it was decided just now. The next poll returns the decision.
  return tooFast.length > 0 ? "too_fast" : "pending";
}
