import { readConfig } from "../../src/config.ts";
import type { Api } from "../../src/engines/live/api.ts";
import { createHttp } from "../../src/http.ts";
import { TestClock } from "./clock.ts";
import type { Fake } from "./upstreams/fake.ts";
import { type FakeServer, startFakes } from "./upstreams/server.ts";
import { World } from "./upstreams/world.ts";

/** What the adapters of providers are made of, with fakes of these providers in the outside world. */
export interface Outside {
  readonly api: Api;
  readonly clock: TestClock;
  readonly world: World;
  readonly fakes: FakeServer;
  close(): Promise<void>;
}

/** @param env settings, by their names in the environment */
export async function startOutside(fakes: readonly Fake[], env: NodeJS.ProcessEnv = {}): Promise<Outside> {
  const clock = new TestClock();
  const world = new World(clock);
  const server = await startFakes(world, fakes);
  const config = readConfig({ ...env, PROVIDER_URLS: listed(server.urls) });
  const http = createHttp(config);
  return {
    api: { http, clock, settings: config.providers },
    clock,
    world,
    fakes: server,
    async close() {
      await http.close();
      await server.close();
    },
  };
}

function listed(urls: Readonly<Record<string, string>>): string {
  return Object.entries(urls)
    .map(([name, url]) => `${name}=${url}`)
    .join(",");
}
