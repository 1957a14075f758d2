import type { Api } from "../../../src/indexing/engines/live/api.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { createHttpClient } from "../../../src/platform/http-client/http-client.ts";
import { PAGES } from "../indexing/channel-call.ts";
import { TestClock } from "../service/clock.ts";
import { FAKES } from "../upstreams/index.ts";
import { type FakeServer, startFakes } from "../upstreams/server.ts";
import { settingsFor } from "../upstreams/settings.ts";
import { World } from "../upstreams/world.ts";

/** The dependencies of provider adapters, with a fake server in place of every provider. */
export interface FakeProviders {
  readonly api: Api;
  readonly clock: TestClock;
  readonly world: World;
  readonly fakes: FakeServer;
  close(): Promise<void>;
}

/** @param env settings besides the credentials, which the fakes accept; an empty string removes a setting */
export async function startFakeProviders(env: NodeJS.ProcessEnv = {}): Promise<FakeProviders> {
  const clock = new TestClock();
  const world = new World(clock);
  const fakes = await startFakes(world, FAKES, { rest: sitemapOnly });
  const config = readConfig({ ...settingsFor(world, fakes), ...env });
  const http = createHttpClient(config);
  return {
    api: { http, clock, settings: config.providers },
    clock,
    world,
    fakes,
    async close() {
      await http.close();
      await fakes.close();
    },
  };
}

/** Answers every path with a sitemap of two pages. */
function sitemapOnly() {
  const [a, b] = PAGES.map((page) => `<url><loc>${page}</loc></url>`);
  return { status: 200, body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${a}${b}</urlset>` };
}
