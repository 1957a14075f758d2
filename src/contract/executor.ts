import { isAscii } from "node:buffer";
import { Refusal } from "../platform/errors/errors.ts";
import { type Answer, type Call, call, type Services } from "./call.ts";

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

export function parseCall(raw: RawCall): Call {
  return { ...raw, input: "json" in raw ? raw.json : parseJson(raw.body) };
}

/** Parses JSON in UTF-8; an empty body is an empty object. @throws Refusal invalid_request */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    // Nearly all lists of URLs are ASCII, which needs no decoding: that takes a third of the time for 2 MB.
    return JSON.parse(isAscii(body) ? body.toString("latin1") : new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new Refusal("invalid_request", "The body is not JSON in UTF-8. Nothing was changed.", {
      issues: [{ path: "", message: "not JSON in UTF-8" }],
    });
  }
}
