import { type Answer, type Call, call, type Services } from "./call.ts";
import { parseListBody } from "./list-body.ts";
import { parseJson } from "./parse-json.ts";

/** A call whose input is parsed JSON, or the bytes of a body that are not parsed yet. */
export type RawCall = Omit<Call, "input"> & ({ readonly json: unknown } | { readonly body: Buffer });

/** Runs admitted calls, on this thread or another one. */
export interface Executor {
  /** @throws Refusal */
  run(raw: RawCall): Promise<Answer>;
}

/** Runs every call on this thread. */
export function inlineExecutor(services: Services): Executor {
  return { run: async (raw) => call(services, parseCall(raw)) };
}

/** Names each property, because a spread is slow and every call comes here. */
export function parseCall(raw: RawCall): Call {
  return {
    operation: raw.operation,
    input: "json" in raw ? raw.json : (parseListBody(raw.operation, raw.body) ?? parseJson(raw.body)),
    idempotencyKey: raw.idempotencyKey,
    audience: raw.audience,
    payment: raw.payment,
    turn: raw.turn,
    principal: raw.principal,
    requestsToday: raw.requestsToday,
    signal: raw.signal,
  };
}
