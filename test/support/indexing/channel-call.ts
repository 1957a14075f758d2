import type { OwnedSite } from "../../../src/indexing/engines/engine.ts";
import type { Api } from "../../../src/indexing/engines/live/api.ts";
import type { ChannelCall, Target } from "../../../src/indexing/engines/live/channel.ts";
import { UpstreamFailure } from "../../../src/indexing/providers/failure.ts";
import type { FakeServer } from "../upstreams/server.ts";
import type { World } from "../upstreams/world.ts";

export const PAGES: readonly string[] = ["https://www.example.com/a?x=1&y=%20", "https://www.example.com/b"];

export const REFERENCE = "call_0k1m2n3p4q5r6s7t8v9w";

/** A verified site as Beckon knows it, with all connections. */
export const SITE: OwnedSite = {
  host: "www.example.com",
  indexnowKey: "0123456789abcdef0123456789abcdef",
  keyUrl: "https://www.example.com/0123456789abcdef0123456789abcdef.txt",
  connections: {
    search_console: "https://www.example.com/",
    bing_webmaster: "https://www.example.com/",
    yandex_webmaster: "https:www.example.com:443",
  },
};

/** Two other verified sites. @param connections names of a host at the providers */
export function twoSites(connections: (host: string) => Readonly<Record<string, string>>): [OwnedSite, OwnedSite] {
  const site = (host: string): OwnedSite => ({ ...SITE, host, connections: connections(host) });
  return [site("a.example"), site("b.example")];
}

/** Gives the operator's provider accounts full rights to SITE. */
export function addOwnedSite(world: World): void {
  world.properties.set("https://www.example.com/", "siteOwner");
  world.bingSites.add("https://www.example.com/");
  world.yandexHosts.set("https:www.example.com:443", true);
}

export function callOf(more: Partial<ChannelCall> = {}): ChannelCall {
  return { urls: PAGES, site: SITE, mode: "standard", sitemapUrl: null, reference: REFERENCE, ...more };
}

export function targetOf(more: Partial<Target> = {}): Target {
  return { url: PAGES[0]!, site: SITE, mode: "standard", sitemapUrl: null, ...more };
}

/** A timeout that no code uses, so that a test can hold the timers of this length. */
export const TIME_LIMIT = 123_457;

/** The same providers, with TIME_LIMIT as the timeout of every call. */
export function limited(api: Api): Api {
  const callApi: typeof api.http.callApi = (request) => api.http.callApi({ ...request, timeMs: TIME_LIMIT });
  return { ...api, http: { ...api.http, callApi } };
}

/** @returns the failure of a call */
export async function failureIn(call: Promise<unknown>): Promise<UpstreamFailure> {
  const thrown = await call.then(
    (value) => {
      throw new Error(`no failure, but ${JSON.stringify(value)}`);
    },
    (reason) => reason,
  );
  if (!(thrown instanceof UpstreamFailure)) throw thrown;
  return thrown;
}

/** Method, path and query of every call to a provider, as sent. */
export function linesOf(fakes: FakeServer, provider: string): string[] {
  return fakes.callsTo(provider).map(({ method, path, query }) => {
    const text = query.toString();
    return `${method} ${path}${text === "" ? "" : `?${text}`}`;
  });
}
