import { type Property as NamedProperty, WRITE_SCOPE } from "../../../../domain/connections/connections.ts";
import { MINUTE } from "../../../../platform/clock.ts";
import type { ProviderSettings } from "../../../../platform/config/config.ts";
import type { ApiResponse } from "../../../../platform/http-client/http-client.ts";
import { parseUrl } from "../../../../platform/text.ts";
import { normaliseUrl } from "../../../../platform/urls/urls.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import type { OwnedSite } from "../../engine.ts";
import { type Api, ask, baseOf, jsonOf } from "../api.ts";
import { askGoogle, googleFailure } from "./request.ts";

const NAME = "search_console";
export const WEBMASTERS = WRITE_SCOPE;

/** `siteOwner`, `siteFullUser`, `siteRestrictedUser` or `siteUnverifiedUser`. */
export type Permission = string;

/** Base URL of Search Console's API for sites and sitemaps. */
export function webmastersOf(api: Api): string {
  return `${baseOf(api, NAME, "https://www.googleapis.com")}/webmasters/v3`;
}

/**
 * The properties that contain pages of a host and in which the service account may act, as `propertiesOf` reads them;
 * null if there is none. A domain property contains every page of its hosts, so it stands alone. Otherwise they are
 * URL-prefix properties, each with the pages below its address.
 */
export async function findSearchConsoleProperties(api: Api, host: string): Promise<string | null> {
  const usable = (await listProperties(api))
    .filter(({ permission }) => permission === "siteOwner" || permission === "siteFullUser")
    .sort((a, b) => (a.form < b.form ? -1 : 1));
  const domains = usable.filter(({ form }) => isDomain(form) && isOfProperty(`https://${host}/`, form));
  const [nearest] = domains.sort((a, b) => b.form.length - a.form.length);
  if (nearest) return nearest.name;
  const widest: Property[] = [];
  for (const root of [`https://${host}/`, `http://${host}/`]) {
    // A property comes after the ones that contain it.
    for (const prefix of usable.filter(({ form }) => form.startsWith(root)))
      if (!widest.some(({ form }) => prefix.form.startsWith(form))) widest.push(prefix);
  }
  return widest.length > 0 ? widest.map(({ name }) => name).join(" ") : null;
}

/** The site's properties in Search Console; none if it is not connected. */
export function propertiesOf({ connections }: Pick<OwnedSite, "connections">): readonly string[] {
  return connections[NAME]?.split(" ") ?? [];
}

/** The site's property that contains a URL; null if none does. */
export function propertyFor(url: string, site: OwnedSite): string | null {
  return propertiesOf(site).find((property) => isOfProperty(url, property)) ?? null;
}

/** Whether a property contains a URL: `sc-domain:example.com`, or a prefix such as `https://www.example.com/blog/`. */
export function isOfProperty(url: string, property: string): boolean {
  const form = formOf(property);
  if (form === null) return false;
  if (!isDomain(form)) return (normaliseUrl(url) ?? url).startsWith(form);
  const domain = form.slice(DOMAIN.length);
  const hostname = parseUrl(url)?.hostname ?? "";
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** Whether a property contains every page of a host. */
export function isWholeHost(property: string, host: string): boolean {
  const form = formOf(property);
  return form !== null && (isDomain(form) || isRootOf(form, host)) && reachesHost(property, host);
}

/** Whether a property contains pages of a host. */
export function reachesHost(property: string, host: string): boolean {
  const form = formOf(property);
  if (form === null) return false;
  if (isDomain(form)) return isOfProperty(`https://${host}/`, property);
  return [`https://${host}/`, `http://${host}/`].some((root) => form.startsWith(root));
}

function isRootOf(form: string, host: string): boolean {
  return form === `https://${host}/` || form === `http://${host}/`;
}

/** The addresses below which a site's properties have all its pages; null if they have every page that https serves. */
export function reachOf(site: Pick<OwnedSite, "connections">): readonly string[] | null {
  const forms = propertiesOf(site).map((property) => formOf(property) ?? property);
  return forms.some((form) => isDomain(form) || /^https:\/\/[^/]*\/$/.test(form)) ? null : forms;
}

const DOMAIN = "sc-domain:";

function isDomain(property: string): boolean {
  return property.startsWith(DOMAIN);
}

/**
 * A property as it is compared: in ASCII, as stored URLs are, and with the slash that ends a prefix. Google lists
 * international names in Unicode. Null if it contains no pages of the web (`android-app://…`).
 */
function formOf(property: string): string | null {
  const name = withoutMarks(property);
  if (isDomain(name)) {
    const hostname = parseUrl(`https://${name.slice(DOMAIN.length)}/`)?.hostname;
    return hostname === undefined ? null : DOMAIN + hostname.replace(/\.$/, "");
  }
  const form = normaliseUrl(name);
  return form === null || form.endsWith("/") ? form : `${form}/`;
}

/** Google lists names of right-to-left scripts with marks of direction, which it refuses in calls. */
function withoutMarks(property: string): string {
  return property.replace(/\p{Bidi_Control}/gu, "");
}

/** How long the list of properties, or the failure to get it, is cached. Real ms. */
const LIST_TTL = 10 * MINUTE;
const FAILURE_TTL = MINUTE;

interface CachedList {
  readonly until: number;
  readonly list: Promise<readonly Property[] | null>;
}

const cache = new WeakMap<ProviderSettings, CachedList>();

/**
 * The service account's permission in a property, a few minutes old at most. Null if the owner has removed the
 * account, undefined if Google does not answer. An owner's removal is therefore no failure of the provider.
 */
export async function permissionIn(api: Api, property: string): Promise<Permission | null | undefined> {
  const list = await recentProperties(api);
  const form = formOf(property);
  return list ? (list.find((one) => one.form === form)?.permission ?? null) : undefined;
}

async function recentProperties(api: Api): Promise<readonly Property[] | null> {
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

interface Property {
  /** As Google names it, which is how calls name it. */
  readonly name: string;
  readonly form: string;
  readonly permission: Permission;
}

async function listProperties(api: Api): Promise<readonly Property[]> {
  return readProperties(api, (request) => askGoogle(api, NAME, WEBMASTERS, request));
}

/** The properties that a token opens. @throws UpstreamFailure */
export async function propertiesOfToken(api: Api, token: string): Promise<NamedProperty[]> {
  const headers = { Authorization: `Bearer ${token}` };
  const found = await readProperties(api, (request) => ask(api, NAME, { ...request, headers }));
  return found.map(({ name, permission }) => ({ name, permission }));
}

/** https://developers.google.com/webmaster-tools/v1/sites/list */
async function readProperties(
  api: Api,
  call: (request: { method: "GET"; url: string }) => Promise<ApiResponse>,
): Promise<readonly Property[]> {
  const answer = await call({ method: "GET", url: `${webmastersOf(api)}/sites` });
  if (answer.status !== 200) throw googleFailure(api, NAME, answer);
  const { siteEntry, error } = (jsonOf(NAME, answer) ?? {}) as { siteEntry?: unknown; error?: unknown };
  // For an account without properties the answer is an empty object.
  const entries = siteEntry ?? [];
  if (error !== undefined || !Array.isArray(entries)) throw new UpstreamFailure(NAME, "bad_answer");
  return entries.flatMap((entry) => {
    const name = withoutMarks(String(entry?.siteUrl));
    const form = formOf(name);
    return form === null ? [] : [{ name, form, permission: String(entry?.permissionLevel) }];
  });
}
