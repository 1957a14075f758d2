import { MINUTE } from "../../../../platform/clock.ts";
import type { ProviderSettings } from "../../../../platform/config/config.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import type { OwnedSite } from "../../engine.ts";
import { type Api, baseOf, jsonOf } from "../api.ts";
import { askGoogle, googleFailure } from "./request.ts";

const NAME = "search_console";
export const WEBMASTERS = "https://www.googleapis.com/auth/webmasters";

/** `siteOwner`, `siteFullUser`, `siteRestrictedUser` or `siteUnverifiedUser`. */
export type Permission = string;

/** Base URL of Search Console's API for sites and sitemaps. */
export function webmastersOf(api: Api): string {
  return `${baseOf(api, NAME, "https://www.googleapis.com")}/webmasters/v3`;
}

/**
 * The property of the service account that contains a host. A domain property, which covers the whole host, is
 * preferred; then a URL-prefix property of https, then one of http. Null if there is none. @throws UpstreamFailure
 */
export async function findSearchConsoleProperty(api: Api, host: string): Promise<string | null> {
  const permissions = await listProperties(api);
  const names = host.replace(/:\d+$/, "").split(".");
  const domains = names.map((_, index) => `sc-domain:${names.slice(index).join(".")}`);
  const candidates = [...domains, `https://${host}/`, `http://${host}/`];
  return (
    candidates.find((property) => (permissions.get(property) ?? "siteUnverifiedUser") !== "siteUnverifiedUser") ?? null
  );
}

/** The site's property in Search Console; null if it is not connected. */
export function propertyOf({ connections }: OwnedSite): string | null {
  return connections[NAME] ?? null;
}

/** Whether a property contains a URL: `sc-domain:example.com`, or a prefix such as `https://www.example.com/`. */
export function isOfProperty(url: string, property: string): boolean {
  if (!property.startsWith("sc-domain:")) return url.startsWith(property);
  const domain = property.slice("sc-domain:".length).toLowerCase();
  const [, host = ""] = /^https?:\/\/([^/:?#]*)/.exec(url) ?? [];
  return domain !== "" && (host === domain || host.endsWith(`.${domain}`));
}

/** How long the list of properties, or the failure to get it, is cached. Real ms. */
const LIST_TTL = 10 * MINUTE;
const FAILURE_TTL = MINUTE;

interface CachedList {
  readonly until: number;
  readonly list: Promise<ReadonlyMap<string, Permission> | null>;
}

const cache = new WeakMap<ProviderSettings, CachedList>();

/**
 * The service account's permission in a property, a few minutes old at most. Null if the owner has removed the
 * account, undefined if Google does not answer. An owner's removal is therefore no failure of the provider.
 */
export async function permissionIn(api: Api, property: string): Promise<Permission | null | undefined> {
  const list = await recentProperties(api);
  return list ? (list.get(property) ?? null) : undefined;
}

async function recentProperties(api: Api): Promise<ReadonlyMap<string, Permission> | null> {
  const now = api.clock.now();
  const cached = cache.get(api.settings);
  if (cached && cached.until > now) return cached.list;
  const list = listProperties(api).catch((thrown) => {
    if (!(thrown instanceof UpstreamFailure)) throw thrown;
    cache.set(api.settings, { until: now + FAILURE_TTL, list: Promise.resolve(null) });
    return null;
  });
  cache.set(api.settings, { until: now + LIST_TTL, list });
  return list;
}

/** https://developers.google.com/webmaster-tools/v1/sites/list */
async function listProperties(api: Api): Promise<ReadonlyMap<string, Permission>> {
  const answer = await askGoogle(api, NAME, WEBMASTERS, { method: "GET", url: `${webmastersOf(api)}/sites` });
  if (answer.status !== 200) throw googleFailure(api, NAME, answer, "rate_limited");
  const { siteEntry, error } = (jsonOf(NAME, answer) ?? {}) as { siteEntry?: unknown; error?: unknown };
  // For an account without properties the answer is an empty object.
  const entries = siteEntry ?? [];
  if (error !== undefined || !Array.isArray(entries)) throw new UpstreamFailure(NAME, "bad_answer");
  return new Map(entries.map((entry) => [String(entry?.siteUrl), String(entry?.permissionLevel)]));
}
