import { Checker } from "../../../src/indexing/checker/checker.ts";
import { liveEngines } from "../../../src/indexing/engines/live/engines.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { createHttpClient } from "../../../src/platform/http-client/http-client.ts";
import type { Handler } from "../upstreams/fake.ts";
import { FAKES } from "../upstreams/index.ts";
import { type FakeServer, startFakes } from "../upstreams/server.ts";
import { settingsFor } from "../upstreams/settings.ts";
import { World } from "../upstreams/world.ts";
import { type TestService, testService } from "./service.ts";

/** A live service whose providers are fakes, and a website on the same loopback server. */
export interface LiveService {
  readonly service: TestService;
  readonly world: World;
  readonly fakes: FakeServer;
  /** Address of a page of the site: `ok-1`, `404`, `noindex`, …, with the fate that the fake Google gives it. */
  page(name: string, fate?: string): string;
  /** Host of the site, as add_site takes it. */
  readonly host: string;
  /** Other files of the site, by path. */
  readonly files: Map<string, string>;
  /** Runs all steps that are due until then (service time), each at its due time. */
  until(at: number): Promise<void>;
  /** Replaces the checker by a new one, after the leases of the old one have expired. */
  restart(): void;
  close(): Promise<void>;
}

export async function liveService(engines: string, env: NodeJS.ProcessEnv = {}): Promise<LiveService> {
  const files = new Map<string, string>();
  // The fakes use the clock of the service, which is created after them.
  const clock = { now: () => service.clock.now(), service: () => service.clock.service() };
  const world = new World(clock);
  const fakes = await startFakes(world, FAKES, { rest: siteOf(files) });
  const { port, host } = new URL(fakes.origin);
  const config = readConfig({
    SITE_URL: "https://beckon.test",
    MAIL: "smtp://mail.test",
    SECRETS_KEY: Buffer.alloc(32, 1).toString("base64"),
    ENGINES: engines,
    BECKON_ALLOW_SANDBOX: "payment",
    FETCH_ALLOW_CIDRS: "127.0.0.0/8",
    FETCH_ALLOW_PORTS: port,
    ...settingsFor(world, fakes),
    ...env,
  });
  const service = await testService({ config: { ...config, siteUrl: "http://beckon.test" } });
  const http = createHttpClient(config);
  const troubles: unknown[] = [];
  const note = (details: object) => void troubles.push((details as { err?: unknown }).err ?? details);
  const log = { info() {}, warn: note, error: note };
  const pageReader = { pace: { gapMs: 0 }, recheckMs: 1 };
  const newChecker = () => {
    const parts = { db: service.db, clock: service.clock };
    return new Checker({
      ...parts,
      engines: liveEngines({ ...parts, config, http, pageReader }),
      log,
      concurrency: 64,
    });
  };
  let checker = newChecker();
  return {
    service,
    world,
    fakes,
    host,
    files,
    page: (name, fate) => `${fakes.origin}/${name}${fate ? `?sandbox=${fate}` : ""}`,
    async until(at) {
      for (;;) {
        const due = await checker.nextDue();
        if (due === null || due > at) break;
        service.clock.pass(Math.max(0, due - service.clock.service()));
        if ((await checker.drain()) === 0) throw new Error(`a step due at ${new Date(due).toISOString()} is not done`);
        if (troubles.length > 0) throw troubles[0];
      }
      service.clock.pass(at - service.clock.service());
    },
    restart() {
      service.clock.pass(61_000);
      checker = newChecker();
    },
    async close() {
      await http.close();
      await service.close();
      await fakes.close();
    },
  };
}

const html = (head: string) => `<!doctype html><html><head>${head}</head><body><p>A page.</p></body></html>`;

const JOB = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"JobPosting"}</script>`;

/** The site: the name of a page determines how it answers. */
function siteOf(files: ReadonlyMap<string, string>): Handler {
  return ({ path }) => {
    const file = files.get(path);
    const headers = { "Content-Type": "text/html" };
    if (file !== undefined) return { status: 200, headers: { "Content-Type": "text/plain" }, body: file };
    if (path === "/robots.txt") return { status: 200, body: "User-agent: *\nDisallow: /private" };
    const status = /^\/([45]\d\d)/.exec(path)?.[1];
    if (status) return { status: Number(status), headers, body: html("") };
    if (path.startsWith("/job")) return { status: 200, headers, body: html(JOB) };
    if (path.startsWith("/noindex"))
      return { status: 200, headers, body: html('<meta name="robots" content="noindex">') };
    return { status: 200, headers, body: html("<title>Page</title>") };
  };
}
