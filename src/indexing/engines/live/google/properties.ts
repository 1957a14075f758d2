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

/** Where Search Console's API for sites and sitemaps begins. */
export function webmastersOf(api: Api): string {
  return `${baseOf(api, NAME, "https://www.googleapis.com")}/webmasters/v3`;
}

/**
 * The property of the service account that holds a host: a domain property, which holds all of it, before one of
 * https and one of http. @throws UpstreamFailure
 */
export async function findSearchConsoleProperty(api: Api, host: string): Promise<string | null> {
  const mine = await listProperties(api);
  const names = host.replace(/:\d+$/, "").split(".");
  const domains = names.map((_, index) => `sc-domain:${names.slice(index).join(".")}`);
  const wanted = [...domains, `https://${host}/`, `http://${host}/`];
  return wanted.find((property) => (mine.get(property) ?? "siteUnverifiedUser") !== "siteUnverifiedUser") ?? null;
}

/** What Search Console calls the site; null: it does not have it. */
export function propertyOf({ connections }: OwnedSite): string | null {
  return connections[NAME] ?? null;
}

/** Whether a property holds a URL: `sc-domain:example.com`, or a prefix such as `https://www.example.com/`. */
export function isOfProperty(url: string, property: string): boolean {
  if (!property.startsWith("sc-domain:")) return url.startsWith(property);
  const domain = property.slice("sc-domain:".length).toLowerCase();
  const [, host = ""] = /^https?:\/\/([^/:?#]*)/.exec(url) ?? [];
  return domain !== "" && (host === domain || host.endsWith(`.${domain}`));
}

/** How long the list of properties is believed; after a failure, how long nobody asks for it again. Real ms. */
const FOR = 10 * MINUTE;
const AFTER_FAILURE = MINUTE;

interface Kept {
  readonly until: number;
  readonly list: Promise<ReadonlyMap<string, Permission> | null>;
}

const kept = new WeakMap<ProviderSettings, Kept>();

/**
 * What the service account may do in a property, as of the last minutes; null: nothing any more, the owner took it
 * away; undefined: Google does not say just now. One customer's change of mind is so no failure of the provider.
 */
export async function permissionIn(api: Api, property: string): Promise<Permission | null | undefined> {
  const list = await recentProperties(api);
  return list ? (list.get(property) ?? null) : undefined;
}

async function recentProperties(api: Api): Promise<ReadonlyMap<string, Permission> | null> {
  const now = api.clock.now();
  const before = kept.get(api.settings);
  if (before && before.until > now) return before.list;
  const list = listProperties(api).catch((thrown) => {
    if (!(thrown instanceof UpstreamFailure)) throw thrown;
    kept.set(api.settings, { until: now + AFTER_FAILURE, list: Promise.resolve(null) });
    return null;
  });
  kept.set(api.settings, { until: now + FOR, list });
  return list;
}

/** https://developers.google.com/webmaster-tools/v1/sites/list */
async function listProperties(api: Api): Promise<ReadonlyMap<string, Permission>> {
  const answer = await askGoogle(api, NAME, WEBMASTERS, { method: "GET", url: `${webmastersOf(api)}/sites` });
  if (answer.status !== 200) throw googleFailure(api, NAME, answer, "rate_limited");
  const { siteEntry, error } = (jsonOf(NAME, answer) ?? {}) as { siteEntry?: unknown; error?: unknown };
  // An account without properties is answered with an empty object.
  const entries = siteEntry ?? [];
  if (error !== undefined || !Array.isArray(entries)) throw new UpstreamFailure(NAME, "bad_answer");
  return new Map(entries.map((entry) => [String(entry?.siteUrl), String(entry?.permissionLevel)]));
}
