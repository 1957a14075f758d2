import type { IncomingMessage, ServerResponse } from "node:http";
import { hookedWatch, noHook } from "../../domain/watches/hooks.ts";
import { errorEnvelope, Refusal, toRefusal } from "../../platform/errors/errors.ts";
import { addressOf } from "../http-server/caller.ts";
import { sendResponse } from "../http-server/send-response.ts";
import { type Called, type HookDeps, receive } from "./receive.ts";

/** What a CMS calls when it has published: `/hooks/WATCH_ID`, signed, or `/hooks/WATCH_ID/SECRET`. */
export const HOOKS = "/hooks";

/** Handles every request under `/hooks`. What a call asks for is noted and done soon after, since senders wait for seconds only. */
export function hookHandler(deps: HookDeps): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  const { config, log } = deps;
  return async (req, res) => {
    try {
      const called = await hookAt(deps, req);
      if (req.method !== "POST")
        throw new Refusal("method_not_allowed", "Call a publish hook by POST.", {}, { Allow: "POST" });
      send(req, res, 202, await receive(deps, called, req, res));
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) log.error({ err: thrown, path: HOOKS }, "a call of a publish hook failed");
      const refusal = toRefusal(thrown);
      send(req, res, refusal.status, errorEnvelope(refusal, config.siteUrl), refusal.headers);
    }
  };
}

/** The watch of an address, and the secret in it. @throws Refusal not_found, rate_limited */
async function hookAt({ db, guard, config }: HookDeps, req: IncomingMessage): Promise<Called> {
  const [, id, secret] = /^\/hooks\/(wat_[0-9a-z]{20})(?:\/([\w-]{1,100}))?$/.exec(req.url!.split("?")[0]!) ?? [];
  const watch = id === undefined ? null : await hookedWatch(db, id);
  if (watch) return secret === undefined ? { watch } : { watch, secret };
  guard.countAnonymous(addressOf(req, config.trustProxy));
  throw noHook();
}

function send(req: IncomingMessage, res: ServerResponse, status: number, body: object, headers = {}): void {
  sendResponse(req, res, {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...headers },
    text: JSON.stringify(body),
  });
}
