import type { IncomingMessage, ServerResponse } from "node:http";
import { pushedSite } from "../../domain/credentials/push-secrets.ts";
import { errorEnvelope, Refusal, toRefusal } from "../../platform/errors/errors.ts";
import { hasBody } from "../http-server/body.ts";
import { addressOf } from "../http-server/caller.ts";
import { sendResponse } from "../http-server/send-response.ts";
import { headerOf, type PushDeps, type PushedSite } from "./proof.ts";
import { receive } from "./receive.ts";

/** Where sites push their access logs: `/push/SITE_ID`. */
export const PUSH = "/push";

/**
 * Handles every request under `/push`. What is sent is imported as a call of `import_visits`, so that a log that comes twice
 * changes nothing, and a site that is not verified any more is refused.
 */
export function pushHandler(deps: PushDeps): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  const { config, log } = deps;
  return async (req, res) => {
    const verify = verificationOf(req);
    try {
      const site = await siteAt(deps, req);
      if (verify && !hasBody(req)) return send(req, res, 200, JSON.stringify({ received: false }), verify);
      if (req.method !== "POST")
        throw new Refusal("method_not_allowed", "Send access logs by POST.", {}, { Allow: "POST" });
      send(req, res, 200, await receive(deps, site, req, res), verify ?? {});
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) log.error({ err: thrown, path: PUSH }, "a push failed");
      const refusal = toRefusal(thrown);
      const text = JSON.stringify(errorEnvelope(refusal, config.siteUrl));
      send(req, res, refusal.status, text, { ...verify, ...refusal.headers });
    }
  };
}

/** @throws Refusal not_found, rate_limited */
async function siteAt({ db, guard, config }: PushDeps, req: IncomingMessage): Promise<PushedSite> {
  const id = /^\/push\/(site_[0-9a-z]{20})$/.exec(req.url!.split("?")[0]!)?.[1];
  const site = id === undefined ? null : await pushedSite(db, id);
  if (site) return site;
  guard.countAnonymous(addressOf(req, config.trustProxy));
  throw new Refusal("not_found", "There is no such push address. Call add_site with rotate_push_secret for one.");
}

/** Vercel asks for a header with the text that it shows to the owner of a drain, who lets it send this header, too. */
function verificationOf(req: IncomingMessage): { "x-vercel-verify": string } | null {
  const text = headerOf(req, "x-vercel-verify");
  return text !== undefined && /^[\w-]{1,128}$/.test(text) ? { "x-vercel-verify": text } : null;
}

function send(req: IncomingMessage, res: ServerResponse, status: number, text: string, headers: object): void {
  sendResponse(req, res, {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...headers },
    text,
  });
}
