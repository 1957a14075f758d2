import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { gzipSync } from "node:zlib";
import { Agent, buildConnector } from "undici";
import { afterAll, expect, test } from "vitest";
import { callApi } from "../../../../src/platform/http-client/call-api.ts";
import { ApiFailure, type ApiRequest, createHttpClient } from "../../../../src/platform/http-client/http-client.ts";
import { version } from "../../../../src/platform/version.ts";
import { type Answer, drips, floods, raw, says, startRawServer } from "../../../support/network/raw-server.ts";

const SECRET = "sk_secret";
const gzip = { "Content-Encoding": "gzip" };
const answers: Record<string, RequestListener> = {
  "/moved": (_, res) => res.writeHead(307, { Location: "/echo" }).end("elsewhere"),
  "/error": (_, res) => res.writeHead(500, { "Retry-After": "3" }).end("no"),
  "/gzip": (_, res) => res.writeHead(200, gzip).end(gzipSync("zażółć")),
  "/empty": (_, res) => res.writeHead(200, gzip).end(),
  "/bom": (_, res) => res.end("\ufeff{}"),
  "/early": (_, res) => {
    res.writeEarlyHints({ link: "</x>; rel=preload" });
    res.end("late");
  },
};
const got: { method: string; url: string; headers: object; body: string }[] = [];
const server = createServer(async (req, res) => {
  let body = "";
  for await (const chunk of req) body += chunk;
  got.push({ method: req.method!, url: req.url!, headers: req.headers, body });
  (answers[req.url!] ?? ((_, res) => res.end(JSON.stringify({ ok: true }))))(req, res);
}).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const settings = { siteUrl: "https://beckon.test", contact: undefined, fetchAllowCidrs: [], fetchAllowPorts: [] };
const http = createHttpClient(settings, { limits: { connectMs: 200, idleMs: 50 } });
afterAll(async () => {
  await http.close();
  server.closeAllConnections();
  server.close();
});

const call = (request: Partial<ApiRequest>) => http.callApi({ method: "POST", url, timeMs: 3_000, ...request });

test("200: the request is sent unchanged, also to an address that is not public", async () => {
  got.length = 0;
  const body = '{"urls":["https://example.com/ü"]}';
  const answer = await call({ url: `${url}/v1/send?a=b%20c`, headers: { "X-API-Key": SECRET }, body });
  expect(answer).toMatchObject({ status: 200, text: '{"ok":true}', headers: { connection: "keep-alive" } });
  expect(got).toEqual([
    {
      method: "POST",
      url: "/v1/send?a=b%20c",
      headers: {
        host: new URL(url).host,
        connection: "keep-alive",
        "user-agent": `Beckon/${version} (+https://beckon.test/bot)`,
        accept: "application/json",
        "accept-encoding": "gzip",
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
        "x-api-key": SECRET,
      },
      body,
    },
  ]);
});

test("200: headers of the caller replace the defaults", async () => {
  got.length = 0;
  const headers = { "Content-Type": "text/xml", ACCEPT: "*/*", "user-agent": "Other/1" };
  await call({ method: "PUT", headers, body: "<x/>" });
  expect(got[0]).toMatchObject({
    method: "PUT",
    headers: { "content-type": "text/xml", accept: "*/*", "user-agent": "Other/1" },
  });
  await call({ method: "GET" });
  expect(got[1]!.headers).not.toHaveProperty("content-type");
});

test.each([
  ["/moved", 307, "elsewhere"],
  ["/error", 500, "no"],
  ["/gzip", 200, "zażółć"],
  ["/empty", 200, ""],
  ["/bom", 200, "{}"],
  ["/early", 200, "late"],
])("%s: answers %i, whatever the status, in full", async (path, status, text) => {
  got.length = 0;
  expect(await call({ url: `${url}${path}`, body: "{}" })).toMatchObject({ status, text });
  expect(got).toHaveLength(1);
});

const routes: Record<string, Answer> = {
  "/silent": () => undefined,
  "/drip": drips("HTTP/1.1 200 OK\r\n\r\n", "x", 10),
  "/resets": (socket) => void socket.resetAndDestroy(),
  "/hangs-up": (socket) => void socket.end(),
  "/ssh": raw(`SSH-2.0-${SECRET}\r\n`),
  "/short": raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"),
  "/large": floods("HTTP/1.1 200 OK\r\n\r\n", Buffer.alloc(65_536)),
  "/bomb": says("200 OK", gzip, gzipSync(Buffer.alloc(1_000_001))),
  "/torn": says("200 OK", gzip, gzipSync("hello").subarray(0, -5)),
  "/br": says("200 OK", { "Content-Encoding": "br" }, "hello"),
};
const odd = await startRawServer("127.0.0.1", (path) => routes[path.split("?")[0]!]!);

test.each([
  ["/silent", "timeout"],
  ["/drip", "timeout"],
  ["/resets", "broken"],
  ["/hangs-up", "broken"],
  ["/ssh", "broken"],
  ["/short", "broken"],
  ["/large", "broken"],
  ["/bomb", "broken"],
  ["/torn", "broken"],
  ["/br", "broken"],
] as const)("%s: %s, and the call may have been acted on", async (path, problem) => {
  const failure = await call({
    url: `http://127.0.0.1:${odd.port}${path}?key=${SECRET}`,
    headers: { Authorization: `Bearer ${SECRET}` },
    body: "{}",
    timeMs: 200,
    maxBytes: 1_000_000,
  }).catch((thrown: unknown) => thrown);
  expectFailure(failure, problem, true);
  await expect.poll(() => odd.open()).toBe(0);
});

test.each([
  ["nobody listens", { url: `http://127.0.0.1:1/?key=${SECRET}` }],
  ["no such host", { url: `http://${SECRET}.invalid/` }],
  ["no TLS", { url: `https://127.0.0.1:${odd.port}/` }],
  ["no time", { url: `https://127.0.0.1:${odd.port}/`, timeMs: 0 }],
  ["no address at all", { url: `${SECRET}:` }],
  ["a key with a line break", { headers: { Authorization: `Bearer ${SECRET}\r\nX: y` } }],
])("unreachable: %s, and the call cannot have arrived", async (_, request) => {
  odd.heads.length = 0;
  got.length = 0;
  const failure = await call(request).catch((thrown: unknown) => thrown);
  expectFailure(failure, "unreachable", false);
  expect([...odd.heads, ...got]).toEqual([]);
});

test.each([
  ["connecting takes too long", 5_000],
  ["there was no time to connect in", 50],
])("unreachable: %s, and the call is not sent later either", async (_, timeMs) => {
  let bytes = "";
  const mute = createTcpServer((socket) => void socket.on("data", (chunk) => (bytes += chunk))).listen(0, "127.0.0.1");
  await once(mute, "listening");
  const address = `https://127.0.0.1:${(mute.address() as AddressInfo).port}/`;
  const failure = await call({ url: address, body: SECRET, timeMs }).catch((thrown: unknown) => thrown);
  expectFailure(failure, "unreachable", false);
  mute.close();
  await once(mute, "close");
  expect(bytes.charCodeAt(0)).toBe(22);
  expect(bytes).not.toContain(SECRET);
});

test("unreachable: nothing is written to a connection that is made too late", async () => {
  const connect = buildConnector({});
  let connected = 0;
  const agent = new Agent({
    connect: (options, callback) =>
      void setTimeout(() => {
        connected += 1;
        connect(options, callback);
      }, 100),
  });
  got.length = 0;
  const failure = await callApi(agent, "Beckon", { method: "POST", url, body: "{}", timeMs: 20 }).catch((one) => one);
  expectFailure(failure, "unreachable", false);
  await expect.poll(() => connected).toBe(1);
  await agent.close();
  expect(got).toEqual([]);
});

test("a connection that the server has closed is not used: after a pause each call gets one that is open", async () => {
  for (let i = 0; i < 3; i++) {
    expect((await call({ body: "{}" })).status).toBe(200);
    server.closeIdleConnections();
    await new Promise((resolve) => setImmediate(resolve));
  }
});

function expectFailure(failure: unknown, problem: ApiFailure["problem"], mayHaveArrived: boolean): void {
  expect(failure).toBeInstanceOf(ApiFailure);
  expect(failure).toMatchObject({ problem, mayHaveArrived, message: problem });
  expect(failure).not.toHaveProperty("cause");
  expect(`${(failure as Error).stack}${JSON.stringify(failure)}`).not.toContain(SECRET);
}
