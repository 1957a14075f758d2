import { request as httpRequest } from "node:http";
import { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { knownMigrations } from "../../../db/known-migrations.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { version } from "../../../src/platform/version.ts";
import { demoKey } from "../../../src/process/demo-key.ts";
import { createLog } from "../../../src/process/log.ts";
import { startService } from "../../../src/process/service.ts";
import { parseMetrics } from "../../support/checks/open-metrics.ts";
import { testDatabase } from "../../support/database/database.ts";
import { rawClient } from "../../support/network/raw-client.ts";

async function started(env: NodeJS.ProcessEnv = {}, databaseUrl?: string) {
  const database = databaseUrl === undefined ? await testDatabase() : null;
  const url = databaseUrl ?? database!.url;
  const lines: string[] = [];
  const config = readConfig({ DATABASE_URL: url, PORT: "0", LOG_LEVEL: "debug", ...env });
  const service = await startService(
    config,
    createLog(config, (line) => void lines.push(line)),
  );
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= service.stop();
    return stopped;
  };
  onTestFinished(async () => {
    await stop();
    await database?.drop();
  });
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${service.address}${path}`, { headers });
  const requests = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request");
  return { service, stop, get, lines, requests, url };
}

test("200: /healthz, /readyz and /metrics answer, by default only on this machine", async () => {
  const { get, service } = await started();
  expect(await (await get("/healthz")).json()).toEqual({ status: "ok" });
  const ready = await get("/readyz");
  const needed = knownMigrations(service.instance.db.dialect).length;
  expect([ready.status, await ready.json()]).toEqual([
    200,
    {
      ready: true,
      checks: { process: "ok", database: "ok", schema: "ok" },
      version,
      schema: { needed, found: needed, found_version: version },
    },
  ]);
  await get("/api/v1/pricing");
  const metrics = await get("/metrics", { Accept: "application/openmetrics-text" });
  expect(metrics.headers.get("content-type")).toMatch(/^application\/openmetrics-text; version=1\.0\.0/);
  const requests = parseMetrics(await metrics.text(), true).get("beckon_http_request_duration_seconds")!;
  const rest = requests.samples.find(({ name, labels }) => name.endsWith("_count") && labels.surface === "rest")!;
  expect(rest).toMatchObject({ labels: { status: "2xx" }, value: 1 });
  expect((await fetch(`${service.address}/readyz`, { method: "POST" })).status).toBe(405);
  expect((await get("/metrics", { Origin: "https://elsewhere.example" })).status).toBe(403);
});

test("404: /metrics behind a proxy; with METRICS_TOKEN it is 401 without the token, and 200 with it", async () => {
  expect((await (await started({ TRUST_PROXY: "1" })).get("/metrics")).status).toBe(404);
  const { get } = await started({ TRUST_PROXY: "1", METRICS_TOKEN: "0123456789abcdef" });
  for (const Authorization of ["", "Bearer 0123456789abcdee", "Basic 0123456789abcdef"]) {
    const refused = await get("/metrics", { Authorization });
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="metrics"']);
  }
  expect((await get("/metrics", { Authorization: "Bearer 0123456789abcdef" })).status).toBe(200);
});

test("a stop: the node is not ready at once, running calls are answered, their connections are closed, and then nothing answers", async () => {
  const { service, stop, get } = await started({ DRAIN_SECONDS: "1" });
  const { hostname, port } = new URL(service.address);
  const inHand = httpRequest({ hostname, port, path: "/api/v1/estimate", method: "POST", agent: false });
  inHand
    .setHeader("Content-Type", "application/json")
    .setHeader("Connection", "keep-alive")
    .setHeader("Content-Length", 11);
  inHand.write('{"count"');
  const answered = new Promise<{ status?: number | undefined; connection?: string | undefined }>((resolve, reject) => {
    inHand.on("error", reject).on("response", (res) => {
      resolve({ status: res.statusCode, connection: res.headers.connection });
      res.resume();
    });
  });
  await expect.poll(async () => (await get("/readyz")).status).toBe(200);
  const stopping = stop();
  const ready = await get("/readyz");
  expect([ready.status, ready.headers.get("connection"), await ready.json()]).toMatchObject([
    503,
    "close",
    { ready: false, checks: { process: "stopping" } },
  ]);
  expect((await get("/healthz")).status).toBe(200);
  expect((await get("/api/v1/pricing")).status).toBe(200);
  inHand.end(":5}");
  expect(await answered).toEqual({ status: 200, connection: "close" });
  await stopping;
  await expect(get("/healthz")).rejects.toThrow();
});

test("ROLE=serve answers callers and does no steps; ROLE=work does the steps, and answers no callers", async () => {
  const serving = await started({ ROLE: "serve", TIME_SCALE: "1000000" });
  const working = await started({ ROLE: "work", TIME_SCALE: "1000000" }, serving.url);
  const { key } = (await demoKey(serving.service.instance))!;
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ urls: ["https://example.com/?sandbox=hour"] });
  const made = await fetch(`${serving.service.address}/api/v1/projects`, { method: "POST", headers, body });
  const { project } = (await made.json()) as { project: { id: string } };
  const status = async () => {
    const read = await serving.get(`/api/v1/projects/${project.id}`, headers);
    return ((await read.json()) as { status: string }).status;
  };
  await expect.poll(status, { timeout: 30_000, interval: 500 }).toBe("completed");
  expect((await working.get("/api/v1/pricing")).status).toBe(404);
  for (const path of ["/healthz", "/readyz", "/metrics"]) expect((await working.get(path)).status, path).toBe(200);
  const verdicts = async (of: typeof working) =>
    (await (await of.get("/metrics")).text()).match(/^beckon_verdicts_total\{/gm);
  expect([await verdicts(serving), await verdicts(working)]).toEqual([null, expect.anything()]);
});

test("at level debug each request is logged with its method, path, status, time and account, without its query", async () => {
  const { service, get, requests, lines } = await started();
  const { key } = (await demoKey(service.instance))!;
  await get("/api/v1/projects?limit=1&secret=in-the-query", { Authorization: `Bearer ${key}` });
  await get("/api/v1/projects");
  await expect.poll(() => requests().length).toBe(2);
  const line = { level: 20, method: "GET", path: "/api/v1/projects", ms: expect.any(Number) };
  expect(requests()).toMatchObject([
    { ...line, status: 200, account: expect.stringMatching(/^acc?_/) },
    { ...line, status: 401 },
  ]);
  expect(lines.join()).not.toMatch(new RegExp(`in-the-query|${key}`));
});

test("metrics count a caller that disconnects as aborted", async () => {
  const { service, get } = await started();
  const { hostname, port } = new URL(service.address);
  const socket = new Socket().connect(Number(port), hostname);
  socket.write(
    "POST /api/v1/estimate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 11\r\nContent-Type: application/json\r\n\r\n{",
  );
  await new Promise((resolve) => setImmediate(resolve));
  socket.on("error", () => undefined).resetAndDestroy();
  await expect.poll(() => endingOf(get)).toBe("aborted");
});

test("metrics count a 401 before the end of the body as an answer, not as aborted", async () => {
  const { service, get, requests } = await started();
  const head = ["POST /api/v1/projects HTTP/1.1", "Host: localhost", "Content-Type: application/json"];
  const { socket, untilClosed } = await rawClient(service.address, [...head, "Content-Length: 500000"]);
  socket.write('{"urls":[');
  expect(await untilClosed()).toMatch(/^HTTP\/1\.1 401 /);
  await expect.poll(() => endingOf(get)).toBe("4xx");
  expect(requests()[0]).toMatchObject({ path: "/api/v1/projects", status: 401 });
});

/** How the one request of the REST API ended, as metrics have it. */
async function endingOf(get: (path: string) => Promise<Response>): Promise<string | undefined> {
  return (await (await get("/metrics")).text()).match(/_count\{surface="rest",status="(\w+)"\} 1/)?.[1];
}
