import { setTimeout as sleep } from "node:timers/promises";
import type { Config, ProviderSettings } from "../../platform/config/config.ts";
import { UpstreamFailure } from "../providers/failure.ts";
import type { SiteRow } from "./sites.ts";

/** Providers whose accounts have sites. IndexNow is not among them, because it needs the key file only. */
export const CONNECTIONS = ["search_console", "bing_webmaster", "yandex_webmaster"] as const;
export type ConnectionName = (typeof CONNECTIONS)[number];

/** Finds out whether the operator's account at a provider has a host. */
export interface ConnectionFinder {
  readonly name: ConnectionName;
  /** The provider's own name for the host; null if the account does not have it. @throws UpstreamFailure */
  find(host: string): Promise<string | null>;
}

/**
 * Finds the providers that a host is connected to. Call it only for a host that the account has just verified,
 * because the operator's credentials act in the host's name from then on.
 * @param known earlier connections, which are kept if a provider does not answer
 * @param timeMs time limit for all providers together
 */
export async function connect(
  finders: readonly ConnectionFinder[],
  host: string,
  known: Readonly<Record<string, string>>,
  timeMs = 15_000,
): Promise<Record<string, string>> {
  const done = new AbortController();
  const timeout = sleep(timeMs, undefined, { signal: done.signal }).catch(() => undefined);
  const found = await Promise.all(
    finders.map(async (finder) => {
      const name = await Promise.race([attempt(finder, host), timeout]);
      return [finder.name, name === undefined ? (known[finder.name] ?? null) : name] as const;
    }),
  ).finally(() => done.abort());
  return Object.fromEntries(found.filter((pair): pair is readonly [ConnectionName, string] => pair[1] !== null));
}

/** Returns undefined if the provider did not answer. */
async function attempt(finder: ConnectionFinder, host: string): Promise<string | null | undefined> {
  try {
    return await finder.find(host);
  } catch (thrown) {
    if (thrown instanceof UpstreamFailure) return undefined;
    throw thrown;
  }
}

/** The providers that the operator uses and has given credentials for; none in a sandbox. */
export function configured({ mode, engines, providers }: Operator): readonly ConnectionName[] {
  if (mode !== "live") return [];
  return CONNECTIONS.filter(
    (name) => credentialOf(providers, name) !== undefined && isNamed(engines, ...(USED_BY[name] ?? [name])),
  );
}

/** The ways by which pages of the site are submitted in its name, as callers see them. */
export function connectionsOf(site: SiteRow, operator: Operator): string[] {
  if (site.status !== "verified" || operator.mode !== "live") return [];
  const known = knownConnections(site);
  const accounts = configured(operator).filter((name) => Object.hasOwn(known, name));
  const isOn = operator.providers.INDEXNOW === "on" && isNamed(operator.engines, "indexnow_bing", "indexnow_yandex");
  return isOn && site.verifiedBy !== "property" ? ["indexnow", ...accounts] : [...accounts];
}

export type Operator = Pick<Config, "mode" | "engines" | "providers">;

/**
 * The providers in ENGINES that use a connection. A connection without a row is used by the provider of the same
 * name.
 */
const USED_BY: Partial<Record<ConnectionName, readonly string[]>> = {
  search_console: ["search_console", "indexing_api", "url_inspection"],
};

function isNamed(engines: readonly string[], ...names: readonly string[]): boolean {
  return engines.includes("live") || names.some((name) => engines.includes(name));
}

function credentialOf(providers: ProviderSettings, name: ConnectionName): string | undefined {
  if (name === "bing_webmaster") return providers.BING_WEBMASTER_KEY;
  return name === "yandex_webmaster" ? providers.YANDEX_WEBMASTER_TOKEN : providers.GOOGLE_SERVICE_ACCOUNT;
}

export function knownConnections(site: SiteRow): Readonly<Record<string, string>> {
  return JSON.parse(site.connections);
}
