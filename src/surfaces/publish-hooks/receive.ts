import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestGuard } from "../../contract/authenticate.ts";
import type { Services } from "../../contract/call.ts";
import { isHookSecret, openHookSecret } from "../../domain/credentials/hook-secrets.ts";
import { type Hooked, noteHookCall } from "../../domain/watches/hooks.ts";
import { pagesOfWatch } from "../../indexing/watches/hook-pages.ts";
import { BODIES } from "../../platform/body-limits.ts";
import { timesOf } from "../../platform/clock.ts";
import { secretBoxOf } from "../../platform/config/secrets-key.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { withBody } from "../http-server/body.ts";
import { addressOf } from "../http-server/caller.ts";
import { isJson, jsonOf, parseJson, refuseUnlessJson } from "../http-server/json-body.ts";
import type { Log } from "../http-server/log.ts";
import { namedAddresses } from "./named-addresses.ts";
import { hasSignature, isSigned } from "./signatures.ts";

export interface HookDeps extends Services {
  readonly guard: RequestGuard;
  readonly log: Log;
}

/** A hook that is called, and the secret of its address. */
export interface Called {
  readonly watch: Hooked;
  readonly secret?: string;
}

const BODY_TYPES = ["application/json", "application/x-www-form-urlencoded"];

/** @returns the answer. @throws Refusal */
export async function receive(
  deps: HookDeps,
  { watch, secret: inAddress }: Called,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<object> {
  const { db, clock, config, guard } = deps;
  const secret = openHookSecret(watch.id, watch.sealedHookSecret, secretBoxOf(config));
  const given = inAddress ?? /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? "")?.[1];
  const isProved = given === undefined ? hasSignature(req) : isHookSecret(given, secret);
  // Who has the secret, or says to have signed, is known before the body is read.
  if (!isProved) throw unproved(deps, req);
  refuseUnlessJson(req, BODY_TYPES);
  return withBody(req, res, { max: BODIES.hook }, async (body) => {
    if (given === undefined && !isSigned(req, { body, secret }, clock.now())) throw unproved(deps, req);
    guard.countRequest(watch.id);
    const named = namedAddresses(isJson(req) ? parseJson(jsonOf(body, null)) : formOf(body));
    const urls = pagesOfWatch(watch, named);
    const call = { proved: watch, urls, ...timesOf(clock) };
    const options = { serializeBy: watch.accountId, isolation: "repeatable read" } as const;
    const pages = await db.tx((tx) => noteHookCall(tx, call), options);
    return { watch_id: watch.id, pages, left_out: new Set(named).size - pages };
  });
}

function formOf(body: Buffer): Record<string, string[]> {
  const fields = new URLSearchParams(body.toString());
  return Object.fromEntries([...new Set(fields.keys())].map((name) => [name, fields.getAll(name)]));
}

/** @throws Refusal rate_limited for an address that fails often */
function unproved({ guard, config }: HookDeps, req: IncomingMessage): Refusal {
  guard.countAnonymous(addressOf(req, config.trustProxy));
  const message =
    "The secret or the signature of the publish hook is missing, wrong or too old. Nothing was done. /docs/publish-hooks says how each sender proves itself.";
  return new Refusal("unauthorized", message, {}, { "WWW-Authenticate": "Bearer" });
}
