import type { z } from "zod";
import type { Engine, Tx, TxOptions } from "../../db/engine.ts";
import {
  acquireKey,
  hashInput,
  type KeyLease,
  releaseKey,
  replayedResult,
  storeResult,
} from "../domain/calls/idempotency-keys.ts";
import { requireMayAct } from "../domain/credentials/may-act.ts";
import { countSubmission } from "../domain/limits/day.ts";
import {
  consumeLimit,
  consumeLimitIn,
  countsMade,
  type OperationLimit,
  refundLimit,
  refuseOverLimit,
} from "../domain/limits/window.ts";
import type { PresentedPayment } from "../domain/payments/orders/presented-payment.ts";
import type { Payments } from "../domain/payments/payments.ts";
import { requireApproval } from "../domain/spending/require-approval.ts";
import type { Agreed, Spender } from "../domain/spending/spender.ts";
import { type TaskTurn, updateByAnswer, writeTurn } from "../domain/tasks/write.ts";
import type { Clock } from "../platform/clock.ts";
import type { Config } from "../platform/config/config.ts";
import { refuseIfCancelled } from "../platform/errors/cancelled.ts";
import { Refusal } from "../platform/errors/errors.ts";
import type { HttpClient } from "../platform/http-client/http-client.ts";
import type { Principal } from "../platform/principal.ts";
import type { AnswerExtras, CallContext } from "./context.ts";
import { fitPage } from "./fit-page.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import { refuseOverDailySubmissions, refuseUnableToSpend } from "./may-submit.ts";
import { withoutNulls } from "./nulls.ts";
import { type AnyOperation, isPlainRead, isSubmission, maySpend, scopesOf } from "./operation.ts";
import { parseInput, splitIdempotencyKey } from "./parse-input.ts";
import { spendingRefusal } from "./spending-refusal.ts";

/** An admitted call, as its surface decoded it. */
export interface Call {
  readonly operation: AnyOperation;
  /** Not validated. */
  readonly input: unknown;
  /** The header; the input may have the key instead. */
  readonly idempotencyKey?: string | undefined;
  /** `agent` over MCP and A2A, where smaller pages are the default. */
  readonly audience: "program" | "agent";
  /** Only for an operation that takes payments. */
  readonly payment?: PresentedPayment | undefined;
  /** What a page showed whose button makes the call; absent: nobody was shown a price. */
  readonly agreed?: Agreed | undefined;
  /** The turn of an A2A task that the call answers; it is written in the same transaction. Only with a principal. */
  readonly turn?: TaskTurn | undefined;
  readonly principal: Principal | null;
  readonly requestsToday: number;
  /**
   * Aborted when the caller goes away, or cancels the call. What is not committed by then is not done; what is committed
   * stays, and is replayed. A signed payment is settled all the same.
   */
  readonly signal?: AbortSignal | undefined;
}

/** The status of an answer over REST. */
export function statusOf({ rest, hadNothingToDo }: AnyOperation, { text }: Pick<Answer, "text">): number {
  return hadNothingToDo?.(JSON.parse(text)) ? 200 : (rest.status ?? 200);
}

/** The answer that every surface encodes: the output as JSON text, byte for byte the same when it is replayed. */
export interface Answer {
  readonly text: string;
  readonly replayed: boolean;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Real time at which the call's turn was written; only for a call that has one. */
  readonly turnAt?: number | undefined;
}

export interface Services {
  readonly db: Engine;
  readonly clock: Clock;
  readonly config: Config;
  readonly http: HttpClient;
  readonly payments: Payments;
}

/**
 * The second half of the pipeline (docs/rules.md rule 10): parse → replay → paid, daily and operation limits →
 * idempotency claim → run → output check.
 * @throws Refusal
 */
export function call(services: Services, admitted: Call): Promise<Answer> {
  const call = asAnonymous(admitted);
  return !call.turn && isPlainRead(call.operation) ? read(services, call) : runOnce(services, call);
}

/** The whole pipeline, for a call that may change something: with an idempotency key it does so once. */
async function runOnce(services: Services, given: Call): Promise<Answer> {
  const { operation, principal } = given;
  const { input: sent, key: idempotencyKey } = splitIdempotencyKey(
    operation,
    withDefaults(given),
    given.idempotencyKey,
  );
  const call = { ...given, idempotencyKey };
  const input = parseInput(operation, sent);
  const key = idempotencyKeyOf(call);
  const inputHash = key && hashInput(input);
  const now = services.clock.now();
  if (key) {
    const text = await replayedResult(services.db, key, inputHash!, now);
    if (text !== null) return replayAnswer(services, call, text);
  }
  await refuseUnableToSpend(services, operation, principal);
  if (isSubmission(operation)) await refuseOverDailySubmissions(services, principal!, now);
  for (const limit of operation.limits ?? []) await refuseOverLimit(services.db, principal!.accountId, limit, now);
  // Whoever does not get the key has not begun anything that a limit counts.
  const keyLease = key ? await acquireKey(services.db, key, inputHash!, now) : null;
  const hash = () => inputHash ?? hashInput(input);
  const spender = principal && { principal, operation: operation.name, inputHash: hash, agreed: call.agreed };
  const counted: OperationLimit[] = [];
  try {
    for (const limit of operation.limits ?? []) {
      if (countsMade(limit)) continue;
      await consumeLimit(services.db, principal!.accountId, limit, now);
      counted.push(limit);
    }
    return await run(services, call, input, { keyLease, spender });
  } catch (thrown) {
    // If the answer was committed after all, the lease is gone and this does nothing. A lease that cannot be released expires
    // by itself, so the first error is the one to throw.
    if (keyLease) await releaseKey(services.db, keyLease).catch(() => undefined);
    const isOurs = thrown instanceof Refusal && thrown.code === "unavailable" && !call.signal?.aborted;
    if (isOurs) await uncount(services, principal, counted, now);
    throw spender ? await spendingRefusal(services, thrown, spender) : thrown;
  }
}

/** What is left of the pipeline for a plain read: parse → run → output check. */
async function read(services: Services, call: Call): Promise<Answer> {
  const { operation, audience } = call;
  const input = parseInput(operation, withDefaults(call));
  const text = encode(operation, await operation.run(input, contextOf(services, call, READ_ONLY)));
  return { text: audience === "agent" ? fitPage(call, text) : text, replayed: false };
}

const READ_ONLY: Pick<CallContext, "commit" | "answerWith" | "spender"> = {
  commit: async () => {
    throw new Error("an operation that reads wanted to commit");
  },
  answerWith: () => undefined,
  spender: null,
};

async function replayAnswer(services: Services, call: Call, text: string): Promise<Answer> {
  const answer = { text, replayed: true };
  if (!call.turn) return answer;
  return { ...answer, turnAt: await services.db.tx((tx) => endTurn(tx, services, call, answer)) };
}

/** A call that is refused as unavailable does not count, because the caller is asked to repeat it. */
function uncount(
  { db }: Services,
  principal: Principal | null,
  counted: readonly OperationLimit[],
  now: number,
): Promise<void> {
  return db.tx(async (tx) => {
    for (const limit of counted) await refundLimit(tx, principal!.accountId, limit, now);
  });
}

/** Without a credential, the call goes to the public operation in `access.anonymous`, without the payment. */
function asAnonymous(admitted: Call): Call {
  const { access } = admitted.operation;
  if (admitted.principal || access.kind !== "scope" || !access.anonymous) return admitted;
  return { ...admitted, operation: access.anonymous, payment: undefined };
}

/** A second representation of an operation's answer, such as CSV. @throws Refusal */
export async function stream(services: Services, call: Call, mediaType: string): Promise<AsyncIterable<string>> {
  const representation = call.operation.representations?.find((one) => one.mediaType === mediaType);
  if (!representation) throw new Error(`${call.operation.name} has no representation ${mediaType}`);
  return representation.stream(
    parseInput(call.operation, withDefaults(call)),
    contextOf(services, call, { ...READ_ONLY, commit: async () => undefined }),
  );
}

/** The input without nulls, and with the defaults for agents over MCP and A2A. */
function withDefaults({ operation, input, audience }: Call): unknown {
  const given = withoutNulls(operation, input);
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  return audience === "agent" && isObject ? { ...operation.agentDefaults, ...given } : given;
}

async function run(
  services: Services,
  call: Call,
  input: Record<string, unknown>,
  { keyLease, spender }: { keyLease: KeyLease | null; spender: Spender | null },
): Promise<Answer> {
  const { operation, principal } = call;
  const signal = operation.takesPayment ? undefined : call.signal;
  let committed = null as Pick<Answer, "text" | "turnAt"> | null;
  let extras: AnswerExtras = {};
  const commit: CallContext["commit"] = async (work) => {
    const { output, ...answer } = await services.db.tx(async (tx) => {
      refuseIfCancelled(signal);
      // Whoever calls may have lost the access since. What spends asks where it spends. A payment that was settled is credited all
      // the same.
      if (principal && !operation.takesPayment && operation.effect !== "spend")
        await requireMayAct(tx, principal, {
          ...{ scopes: scopesOf(operation.access), spends: maySpend(operation), now: services.clock.now() },
        });
      const output = await work(tx);
      const purpose = operation.asksApproval?.(output);
      if (purpose) await requireApproval(tx, { spender: spender!, purpose, now: services.clock.now() });
      const text = encode(operation, output);
      if (isSubmission(operation) && !operation.hadNothingToDo?.(output))
        await countSubmission(tx, principal!.accountId, services.clock.now());
      for (const limit of operation.limits?.filter(countsMade) ?? [])
        await consumeLimitIn(tx, principal!.accountId, limit, services.clock.now());
      if (keyLease) await storeResult(tx, keyLease, text);
      const turnAt = call.turn && (await endTurn(tx, services, call, { replayed: false, ...extras, text }));
      refuseIfCancelled(signal);
      return { output, text, turnAt };
    }, txOptions(call));
    committed = answer;
    return output;
  };
  const answerWith = (given: AnswerExtras) => {
    extras = given;
  };
  const output = await operation.run(input, contextOf(services, call, { commit, answerWith, spender }));
  const { headers, replayed = false } = extras;
  if (committed) return { ...committed, replayed, headers };
  if (operation.effect !== "read") throw new Error(`${operation.name} answered without committing`);
  const whole = encode(operation, output);
  const answer = { text: call.audience === "agent" ? fitPage(call, whole) : whole, replayed, headers };
  if (!call.turn) return answer;
  return { ...answer, turnAt: await services.db.tx((tx) => endTurn(tx, services, call, answer)) };
}

/**
 * Transactions of one account run one after the other, since each changes the account's row. A spend reads only rows that it
 * also changes (`createProject`, `takeFresh`), so the lower isolation level is enough. No operation changes another account.
 */
function txOptions({ operation, principal }: Call): TxOptions {
  const isolation = operation.effect === "spend" ? "repeatable read" : "serializable";
  const accountId = principal?.accountId;
  return accountId ? { serializeBy: accountId, isolation } : { isolation };
}

/** Writes the answer into the task of the call. @returns the time of writing */
async function endTurn(
  tx: Tx,
  { clock }: Services,
  { turn, operation, principal }: Call,
  answer: Answer,
): Promise<number> {
  const now = clock.now();
  await writeTurn(tx, principal!.accountId, turn!, updateByAnswer(answer, { turn: turn!, operation, now }));
  return now;
}

/** Names each property, because a spread is slow and every call comes here. */
function contextOf(
  { db, clock, config, http, payments }: Services,
  { principal, requestsToday, payment, signal }: Call,
  { commit, answerWith, spender }: Pick<CallContext, "commit" | "answerWith" | "spender">,
): CallContext {
  return {
    db,
    clock,
    config,
    http,
    payments,
    principal,
    spender,
    requestsToday,
    payment: payment ?? null,
    signal,
    commit,
    answerWith,
  };
}

/** Validates the output against the published schema, and removes fields that it does not have. */
function encode(operation: AnyOperation, output: unknown): string {
  return JSON.stringify((operation.output as z.ZodObject).parse(output));
}
