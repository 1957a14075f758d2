import type { IncomingMessage } from "node:http";
import type { RequestGuard } from "../../contract/authenticate.ts";
import type { Services } from "../../contract/call.ts";
import type { Executor } from "../../contract/executor.ts";
import { isPushSecretOf, type pushedSite } from "../../domain/credentials/push-secrets.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { Log } from "../http-server/log.ts";

export interface PushDeps extends Services {
  readonly guard: RequestGuard;
  readonly executor: Executor;
  readonly log: Log;
}

export type PushedSite = NonNullable<Awaited<ReturnType<typeof pushedSite>>>;

/** @throws Refusal unauthorized, and rate_limited for an address that fails often */
export function prove({ guard }: PushDeps, site: PushedSite, req: IncomingMessage, ip: string): void {
  const secret = secretOf(req);
  if (secret !== undefined && isPushSecretOf(site, secret)) return;
  guard.countAnonymous(ip);
  const message =
    "The secret is missing or wrong. Send the push_secret of add_site as `Authorization: Bearer`. Nothing was changed.";
  throw new Refusal("unauthorized", message, {}, { "WWW-Authenticate": "Bearer" });
}

/** Services that cannot set Authorization send the secret in a header of its own. */
function secretOf(req: IncomingMessage): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headerOf(req, "authorization") ?? "")?.[1];
  return bearer ?? headerOf(req, "x-push-secret");
}

export function headerOf(req: IncomingMessage, name: string): string | undefined {
  return req.headers[name]?.toString();
}
