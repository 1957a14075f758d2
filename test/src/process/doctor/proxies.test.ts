import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { AnchoredClock } from "../../../../src/platform/clock.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { checkProxies, proxyCheck } from "../../../../src/process/doctor/proxies.ts";
import { Metrics } from "../../../../src/process/metrics/metrics.ts";
import { traceRequest } from "../../../../src/surfaces/http-server/trace-request.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

/** What the metrics say after requests with these values of X-Forwarded-For. */
async function arrived(...forwarded: readonly string[]): Promise<string> {
  const instance = {
    db: store.db,
    clock: new AnchoredClock({ realAt: 0, serviceAt: 0, scale: 1 }),
    config: readConfig({}),
  };
  const metrics = new Metrics(instance);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const { port } = await serving((req, res) => {
    const surface = req.url === "/healthz" ? "ops" : "rest";
    void traceRequest(req, res, { tracer: metrics.tracer, log, surface }, async () => void res.end());
  });
  for (const value of forwarded)
    await fetch(`http://127.0.0.1:${port}/`, { headers: value === "" ? {} : { "X-Forwarded-For": value } });
  await fetch(`http://127.0.0.1:${port}/healthz`);
  return (await metrics.text()).text;
}

test.each([
  ["401", 401, /cannot be read/, "METRICS_TOKEN"],
  ["404", 404, /cannot be read/, "METRICS_TOKEN"],
])("a warning: the service does not show its metrics (%s)", async (_, status, found, remedy) => {
  const check = await at(status, "");
  expect(check).toMatchObject({ ok: false, severity: "warning", found: expect.stringMatching(found) });
  expect(check.remedy).toContain(remedy);
});

test("in order: the service is not running, or its port is chosen at the start", async () => {
  expect(await checkProxies(readConfig({ PORT: "1" }))).toMatchObject({ ok: true });
  expect(await checkProxies(readConfig({ PORT: "0" }))).toMatchObject({ ok: true });
});

test.each<[string, string[], RegExp | null]>([
  ["none", [], null],
  [
    "two proxies, of which one caller forges a third",
    ["203.0.113.9, 10.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.1"],
    /2 proxies/,
  ],
  ["no proxy", ["", ""], null],
])("how requests arrive is counted by the service, and read: %s, and TRUST_PROXY is 0", async (_, forwarded, found) => {
  const check = await at(200, await arrived(...forwarded));
  expect(check.ok).toBe(found === null);
  if (found) expect(check.found).toMatch(found);
});

async function at(status: number, text: string) {
  const { port } = await serving((_, res) => void res.writeHead(status).end(text));
  return checkProxies(readConfig({ PORT: String(port) }));
}

async function serving(listener: RequestListener): Promise<AddressInfo> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return server.address() as AddressInfo;
}

test.each<[number, [number, number], string]>([
  [0, [0, 1], "the only request came through 0 proxies, as TRUST_PROXY says"],
  [1, [1, 2], "all 2 requests came through 1 proxy, as TRUST_PROXY says"],
  [2, [0, 1], "1 of 1 request came through 0 proxies, and TRUST_PROXY is 2: "],
  [0, [1, 1], "the only request came through 1 proxy, and TRUST_PROXY is 0: "],
])("one is said in the singular: TRUST_PROXY=%d, %j", (trusted, arrived, found) => {
  expect(proxyCheck(trusted, new Map([arrived])).found.startsWith(found)).toBe(true);
});
