import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Config } from "../../platform/config/config.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { isLoopbackHost } from "../../platform/loopback.ts";
import { parseUrl } from "../../platform/text.ts";

type Site = Pick<Config, "host" | "siteUrl">;

/**
 * Refuses pages of other sites where the service listens on a loopback address, because it then answers this machine
 * only. Such a page may reach it through the browser, also by DNS rebinding. `Origin` or `Host` tells (docs/rules.md
 * rule 18).
 * @throws Refusal forbidden_origin
 */
export function refuseForeignOrigin(req: IncomingMessage, config: Site): void {
  const { host, origin } = req.headers;
  // Nearly every request names the same origin and host as the one before.
  const known = latest.get(config);
  if (known && known.host === host && known.origin === origin) return;
  if (!isLoopbackHost(config.host)) return;
  if (host !== undefined && !isOwnAddress(`http://${host}`, config)) throw foreignOrigin("Host");
  if (origin !== undefined && !isOwnAddress(origin, config)) throw foreignOrigin("Origin");
  latest.set(config, { host, origin });
}

/** The headers of the latest request that was let through. */
const latest = new WeakMap<Site, Pick<IncomingHttpHeaders, "host" | "origin">>();

/** Whether an origin names this service: SITE_URL, or this machine for a service that listens on a loopback address. */
export function isOwnAddress(address: string, { host, siteUrl }: Site): boolean {
  const url = parseUrl(address);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  const isSite = url.host === new URL(siteUrl).host;
  return isSite || (isLoopbackHost(host) && isLoopbackHost(url.hostname.replace(/^\[|\]$/g, "")));
}

function foreignOrigin(header: string): Refusal {
  const message = `This service answers only its own machine, and the ${header} header names another host. Call it as localhost.`;
  return new Refusal("forbidden_origin", message);
}
