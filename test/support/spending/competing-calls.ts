import type { Engine } from "../../../db/engine.ts";
import { call, type Services } from "../../../src/contract/call.ts";
import { NO_PAYMENTS } from "../../../src/domain/payments/payments.ts";
import { AnchoredClock } from "../../../src/platform/clock.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { DatabaseUnavailable } from "../../../src/platform/errors/database-unavailable.ts";
import { Refusal } from "../../../src/platform/errors/errors.ts";
import { createHttpClient } from "../../../src/platform/http-client/http-client.ts";
import { type Principal, SCOPES } from "../../../src/platform/principal.ts";
import submitUrls from "../../../tools/submit-urls.ts";
import { asOwner } from "../database/people.ts";
import type { SeededRandom } from "../nodes/seeded-random.ts";

/** A submission that competes with others for one budget. */
export interface CompetingCall {
  /** Name of the project. Calls with the same name are the same call. */
  readonly name: string;
  /** Its cost; it submits as many URLs. */
  readonly credits: number;
  readonly hasKey: boolean;
}

/** The limit of the key above which a person has to approve a call. */
export const APPROVE_ABOVE = 6;

/** Calls that need an approval. Half of them have an idempotency key. The last one is never approved. */
export const COSTLY: readonly CompetingCall[] = Array.from({ length: 6 }, (_, index) => ({
  name: `costly-${index}`,
  credits: APPROVE_ABOVE + 1 + index,
  hasKey: index % 2 === 0,
}));

/** Idempotency keys of cheap calls, which all processes share. */
const SHARED_KEYS = 30;

/** @param serial makes a name that no other call of this process has */
export function anyCall(random: SeededRandom, serial: string): CompetingCall {
  const kind = random.next();
  if (kind < 0.2) return random.pick(COSTLY);
  if (kind < 0.6) return { name: `single-${serial}`, credits: random.between(1, APPROVE_ABOVE), hasKey: false };
  const index = random.between(0, SHARED_KEYS - 1);
  return { name: `shared-${index}`, credits: 1 + (index % APPROVE_ABOVE), hasKey: true };
}

/** What a call may be refused for here; the last while another process has its idempotency key, or a killed one had it. */
const EXPECTED: readonly string[] = ["spending_limit", "approval_required", "idempotency_in_flight"];

/** The id of the project that a call made, or the code by which it was refused. */
export type CallOutcome = { readonly project: string } | { readonly refused: string };

/** Makes calls with a key, as the surfaces of the service do. They throw a refusal that nothing here is a reason for. */
export function callerOf(
  db: Engine,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
): (call: CompetingCall) => Promise<CallOutcome> {
  const config = readConfig({});
  const now = Date.now();
  const clock = new AnchoredClock({ realAt: now, serviceAt: now, scale: 1 });
  const services: Services = { db, clock, config, http: createHttpClient(config), payments: NO_PAYMENTS };
  const credential = { id: keyId, type: "api_key", name: "budget", scopes: SCOPES, holder: keyId } as const;
  return async ({ name, credits, hasKey }) => {
    const urls = Array.from({ length: credits }, (_, index) => `https://example.com/${name}/${index}`);
    const principal: Principal = { ...(await asOwner(db, accountId)), role: "owner", credential };
    const admitted = { operation: submitUrls, input: { urls, name }, audience: "program", principal } as const;
    try {
      const idempotencyKey = hasKey ? name : undefined;
      const { text } = await call(services, { ...admitted, idempotencyKey, requestsToday: 1 });
      return { project: JSON.parse(text).project.id };
    } catch (thrown) {
      if (thrown instanceof Refusal && EXPECTED.includes(thrown.code)) return { refused: thrown.code };
      // PostgreSQL has run the transaction again for as long as it may: the caller is told to try later, and nothing has happened.
      if (thrown instanceof DatabaseUnavailable && !thrown.mayHaveHappened) return { refused: "unavailable" };
      throw thrown;
    }
  };
}
