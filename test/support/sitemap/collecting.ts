import type { ServerResponse } from "node:http";
import { afterAll, afterEach } from "vitest";
import { collectSitemap } from "../../../src/indexing/sitemap/collect.ts";
import { COLLECT_LIMITS, type CollectLimits } from "../../../src/indexing/sitemap/collect-context.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { createHttpClient } from "../../../src/platform/http-client/http-client.ts";
import { type SitemapServer, sitemapServer } from "../network/sitemap-server.ts";

/** A site on this machine and a client that may read it, until the tests of the file have ended. */
export async function collecting() {
  const site: SitemapServer = await sitemapServer();
  const config = readConfig({ FETCH_ALLOW_CIDRS: "127.0.0.0/8", FETCH_ALLOW_PORTS: String(site.port) });
  const http = createHttpClient(config);
  afterAll(async () => {
    await http.close();
    await site.close();
  });

  const stalled: ServerResponse[] = [];
  afterEach(() => {
    for (const response of stalled.splice(0)) response.end();
  });

  let numbers = 0;
  return {
    site,
    http,
    /** A path at which nothing is served yet. */
    newPath: () => `/${++numbers}.xml`,
    /** Serves it at a path of its own. */
    serve(served: Parameters<SitemapServer["serve"]>[1], headers?: Record<string, string>): string {
      return site.serve(`/${++numbers}.xml`, served, headers);
    },
    /** An answer that stops after its beginning, if there is one, until the test ends. */
    stall: (beginning?: string) => (res: ServerResponse) => {
      stalled.push(res);
      if (beginning !== undefined) res.writeHead(200).write(beginning);
    },
    async collect(url: string, limits: Partial<CollectLimits> = {}, most = Number.POSITIVE_INFINITY) {
      const addresses: string[] = [];
      const take = (address: string) => addresses.length < most && addresses.push(address) > 0;
      return { ...(await collectSitemap({ http }, url, take, { ...COLLECT_LIMITS, ...limits })), addresses };
    },
  };
}
