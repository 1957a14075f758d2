import { isLoopbackHost } from "../loopback.ts";
import { parseUrl } from "../text.ts";
import type { Config } from "./config.ts";

/** A sandbox that listens on this machine alone. Only there is a demo account, and credentials for it are handed out. */
export function hasDemoAccount({ mode, host }: Pick<Config, "mode" | "host">): boolean {
  return mode === "sandbox" && isLoopbackHost(host);
}

type Site = Pick<Config, "mode" | "host" | "siteUrl">;

/**
 * The origins of a service. A sandbox on this machine has two, since `localhost` and `127.0.0.1` are the same for people, and
 * clients compare addresses to the letter.
 */
export function siteUrlsOf(config: Site): readonly string[] {
  const { siteUrl } = config;
  const { protocol, hostname } = new URL(siteUrl);
  const other = hostname === "localhost" ? "127.0.0.1" : hostname === "127.0.0.1" ? "localhost" : null;
  if (other === null || protocol !== "http:" || !hasDemoAccount(config)) return [siteUrl];
  return [siteUrl, siteUrl.replace(`//${hostname}`, `//${other}`)];
}

/** The origin of a service by which it was called, as the Host header says; SITE_URL for any other. */
export function siteUrlFor(config: Site, host: string | undefined): string {
  const called = parseUrl(`http://${host}`)?.host;
  return siteUrlsOf(config).find((origin) => new URL(origin).host === called) ?? config.siteUrl;
}
