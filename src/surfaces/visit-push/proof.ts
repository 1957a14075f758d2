import type { IncomingMessage } from "node:http";
import type { RequestGuard } from "../../contract/authenticate.ts";
import type { Services } from "../../contract/call.ts";
import type { Executor } from "../../contract/executor.ts";
import { isPushProven, type PushProof, type pushedSite } from "../../domain/credentials/push-secrets.ts";
import { secretBoxOf } from "../../platform/config/secrets-key.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { Log } from "../http-server/log.ts";

export interface PushDeps extends Services {
  readonly guard: RequestGuard;
  readonly executor: Executor;
  readonly log: Log;
}

export type PushedSite = NonNullable<Awaited<ReturnType<typeof pushedSite>>>;

/** @throws Refusal unauthorized, and rate_limited for an address that fails often */
export function prove({ guard, config }: PushDeps, site: PushedSite, proof: PushProof, ip: string): void {
  if (isPushProven(site, secretBoxOf(config), proof)) return;
  guard.countAnonymous(ip);
  const message =
    "The secret or the signature is missing or wrong. Send the push_secret of add_site as `Authorization: Bearer`. Nothing was changed.";
  throw new Refusal("unauthorized", message, {}, { "WWW-Authenticate": "Bearer" });
}

/** Services that cannot set Authorization send the secret in a header of its own. */
export function secretOf(req: IncomingMessage): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headerOf(req, "authorization") ?? "")?.[1];
  return bearer ?? headerOf(req, "x-push-secret");
}

export function headerOf(req: IncomingMessage, name: string): string | undefined {
  return req.headers[name]?.toString();
}
