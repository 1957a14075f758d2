import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "../../../contract/call.ts";
import { type AnswerOf, type AnyOperation, scopesOf } from "../../../contract/operation.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { principalOfSession, requireRole, SessionEnded } from "./domain.ts";
import type { SignedInRequest, WebsiteServices } from "./page-request.ts";

/** How often, and how long in ms, a repeated form waits for the first one of its idempotency key. */
const WAIT = { every: 200, most: 10_000 };

/**
 * What an operation that reads answers to whoever is signed in: a page says no more than a program is told. It does not count
 * as a request of the day: only requests of programs do.
 * @throws Refusal
 */
export async function readOperation<Op extends AnyOperation>(
  { executor }: WebsiteServices,
  { session }: SignedInRequest,
  operation: Op,
  input: object,
): Promise<AnswerOf<Op>> {
  if (operation.effect !== "read") throw new Error(`${operation.name} does more than read`);
  const principal = mayCall(session, operation);
  const call = { operation, input, audience: "program", principal, requestsToday: 0 } as const;
  return JSON.parse((await executor.run(call)).text);
}

/**
 * Calls an operation as whoever is signed in, by the pipeline of every surface: the same limits, idempotency and rules of
 * payment. Only the answer is another one: the page.
 * @param sent what came with the form besides the input
 * @throws SessionEnded when the session ended during the call, which has done nothing then
 * @throws Refusal
 */
export async function callOperation<Op extends AnyOperation>(
  { guard, executor }: WebsiteServices,
  request: SignedInRequest,
  operation: Op,
  input: object,
  sent: Pick<Call, "idempotencyKey" | "agreed"> = {},
): Promise<AnswerOf<Op>> {
  mayCall(request.session, operation);
  const { principal, requestsToday } = await guard.admitSession(request.session);
  const call = { operation, input, ...sent, audience: "program", principal, requestsToday } as const;
  for (const end = performance.now() + WAIT.most; ; await sleep(WAIT.every)) {
    try {
      return JSON.parse((await executor.run(call)).text);
    } catch (thrown) {
      if (thrown instanceof Refusal && thrown.code === "unauthorized") throw new SessionEnded();
      // The second of two clicks shows what the first has done.
      const isRunning = thrown instanceof Refusal && thrown.code === "idempotency_in_flight";
      if (!isRunning || performance.now() > end) throw thrown;
    }
  }
}

/** Who is signed in, if the role allows the operation. @throws Refusal insufficient_scope */
function mayCall(session: SignedInRequest["session"], { access }: AnyOperation) {
  for (const scope of scopesOf(access)) requireRole(session.role, scope);
  return principalOfSession(session);
}
