import type { IncomingMessage, ServerResponse } from "node:http";
import importVisits from "../../../tools/import-visits.ts";
import { pushPrincipal } from "../../domain/credentials/push-secrets.ts";
import { BODIES } from "../../platform/body-limits.ts";
import { withBody } from "../http-server/body.ts";
import { addressOf } from "../http-server/caller.ts";
import { closeSignal } from "../http-server/close-signal.ts";
import { type PushDeps, type PushedSite, prove } from "./proof.ts";

/** @returns the answer as JSON. @throws Refusal */
export async function receive(
  deps: PushDeps,
  site: PushedSite,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<string> {
  const { guard, executor, config } = deps;
  const ip = addressOf(req, config.trustProxy);
  prove(deps, site, req, ip);
  const closing = closeSignal(res);
  try {
    return await withBody(req, res, { max: BODIES.log, mayBePacked: true }, async (body) => {
      guard.countRequest(site.id);
      const call = { operation: importVisits, audience: "program", principal: pushPrincipal(site) } as const;
      const input = { host: site.host, log: body };
      const { text } = await executor.run({ ...call, input, requestsToday: 0, signal: closing.signal });
      return text;
    });
  } finally {
    closing.dispose();
  }
}
