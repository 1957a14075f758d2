import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import {
  createHttpClient,
  type FetchFailure,
  type FetchOptions,
} from "../../../../src/platform/http-client/http-client.ts";
import { version } from "../../../../src/platform/version.ts";
import { type Answer, floods, nameServer, raw, says, startRawServer } from "../../../support/network/raw-server.ts";

const MB = 1024 * 1024;
const page = gzipSync("<h1>hello</h1>");
const routes: Record<string, RequestListener> = {
  "/plain": (_, res) => res.writeHead(200, { "Content-Type": "text/plain" }).end("hello"),
  "/gzip": (_, res) => res.writeHead(200, { "Content-Encoding": "GZIP" }).end(page),
  "/x-gzip": (_, res) => res.writeHead(200, { "Content-Encoding": "x-gzip, identity" }).end(page),
  "/members": (_, res) => res.writeHead(200, { "Content-Encoding": "gzip" }).end(Buffer.concat([page, page])),
  "/padded": (_, res) => res.writeHead(200, { "Content-Encoding": "gzip" }).end(Buffer.concat([page, Buffer.alloc(9)])),
  "/empty": (_, res) => res.writeHead(404, { "Content-Encoding": "gzip" }).end(),
  "/cookies": (_, res) => res.writeHead(200, { "Set-Cookie": ["a=1", "b=2"] }).end(),
  "/ten": (_, res) => res.end("0123456789"),
  "/trailers": (_, res) => {
    res.writeHead(200, { Trailer: "X-Sum" }).write("hello");
    res.addTrailers({ "X-Sum": "1" });
    res.end();
  },
  "/search?q=%C3%BC&r=a%20b": (_, res) => res.end("found"),
};
for (const [i, status] of [301, 302, 303, 307, 308].entries()) {
  const next = i === 4 ? "/plain" : `hop-${i + 1}`;
  routes[`/hop-${i}`] = (_, res) => res.writeHead(status, { Location: next }).end("moved");
}
routes["/utf-8"] = (_, res) =>
  void res.socket!.end(Buffer.from(`HTTP/1.1 301 Moved\r\nLocation: /search?q=ü&r=a b\r\nContent-Length: 0\r\n\r\n`));

const got: string[][] = [];
const server = createServer((req, res) => {
  got.push(req.rawHeaders);
  (routes[req.url!] ?? ((_, res) => res.writeHead(404).end("nothing")))(req, res);
}).listen(0, "127.0.0.2");
await once(server, "listening");
const { port } = server.address() as AddressInfo;

const odds: Record<string, Answer> = {
  "/flood": floods("HTTP/1.1 200 OK\r\n\r\n", Buffer.alloc(MB), 1e9),
  "/flood-away": floods("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n", Buffer.alloc(MB), 1e9),
  "/204": raw("HTTP/1.1 204 No Content\r\n\r\nhello"),
  "/304": raw("HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n"),
  "/": says("200 OK", { Constructor: "x", ["__proto__"]: "y", "X-A": "1\r\nX-A: 2" }, "odd"),
};
const odd = await startRawServer("127.0.0.2", (path) => odds[path]!);

const names = nameServer({
  "site.example": [["127.0.0.2"]],
  "changes.example": [["127.0.0.2"], ["127.0.0.1"]],
  "two.example": [["127.0.0.3", "127.0.0.2"]],
  "xn--bcher-kva.example": [["127.0.0.2"]],
  localhost: [["127.0.0.2"]],
  router: [["127.0.0.2"]],
});
const settings = {
  siteUrl: "https://beckon.test",
  contact: undefined,
  fetchAllowCidrs: ["127.0.0.2/31"],
  fetchAllowPorts: [port, odd.port],
};
const http = createHttpClient(settings, { resolve: names.resolve, limits: { idleMs: 100 } });
afterAll(async () => {
  await http.close();
  server.closeAllConnections();
  server.close();
});

const OPTIONS = { accept: "text/html", timeMs: 5_000, maxWireBytes: MB, maxBytes: MB };

async function read(path: string, options: Partial<FetchOptions> = {}, host = "site.example", from = http) {
  const at = path.startsWith("/") ? `http://${host}:${port}${path}` : path;
  const { body, ...visit } = await from.fetchPublic(at, { ...OPTIONS, ...options });
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return { ...visit, text: Buffer.concat(chunks).toString() };
}

test("200: the headers say who sends the request and what is accepted, and nothing else", async () => {
  got.length = 0;
  expect(await read("/plain#part")).toMatchObject({
    status: 200,
    url: `http://site.example:${port}/plain`,
    headers: { "content-type": "text/plain" },
    text: "hello",
  });
  expect(Object.fromEntries(pairs(got[0]!))).toEqual({
    host: `site.example:${port}`,
    connection: "keep-alive",
    "User-Agent": `Beckon/${version} (+https://beckon.test/bot)`,
    Accept: "text/html",
    "Accept-Encoding": "gzip",
  });
});

test("200: the User-Agent has the operator's contact", async () => {
  const own = createHttpClient({ ...settings, contact: "bot@beckon.test" }, names);
  got.length = 0;
  await read("/plain", {}, "site.example", own);
  await own.close();
  expect(got[0]).toContain(`Beckon/${version} (+bot@beckon.test)`);
});

test.each([
  ["/gzip", "<h1>hello</h1>"],
  ["/x-gzip", "<h1>hello</h1>"],
  ["/members", "<h1>hello</h1><h1>hello</h1>"],
  ["/padded", "<h1>hello</h1>"],
  ["/trailers", "hello"],
  ["/search?q=%C3%BC&r=a%20b", "found"],
])("200 %s: %s", async (path, text) => {
  expect(await read(path)).toMatchObject({ status: 200, text });
});

test("404: any status is an answer, and an empty body may have a content coding", async () => {
  expect(await read("/empty")).toMatchObject({ status: 404, text: "" });
});

test.each([
  ["204", 204],
  ["304", 304],
])("%s: has no body, whatever follows", async (path, status) => {
  expect(await read(`http://site.example:${odd.port}/${path}`)).toMatchObject({ status, text: "" });
});

test("200: repeated headers are joined, and there line by line; names such as __proto__ are ordinary names", async () => {
  const cookies = await read("/cookies");
  expect(cookies.headers["set-cookie"]).toBe("a=1, b=2");
  expect(cookies.headerLines("set-cookie")).toEqual(["a=1", "b=2"]);
  expect(cookies.headerLines("x-none")).toEqual([]);
  const { headers, text } = await read(`http://site.example:${odd.port}/`);
  expect(headers).toMatchObject({ "x-a": "1, 2", constructor: "x" });
  expect(text).toBe("odd");
});

test("200: five redirects are followed, of every status, to relative addresses", async () => {
  const url = `http://site.example:${port}/plain`;
  expect(await read("/hop-0", { sameHost: true })).toMatchObject({ status: 200, url, text: "hello" });
});

test("200: a redirect with characters beyond ASCII is read as UTF-8", async () => {
  expect(await read("/utf-8")).toMatchObject({ status: 200, text: "found" });
});

test("200: a body may have exactly the allowed number of bytes", async () => {
  expect((await read("/ten", { maxWireBytes: 10, maxBytes: 10 })).text).toBe("0123456789");
  const failure = await read("/ten", { maxWireBytes: 9 }).catch((thrown: FetchFailure) => thrown);
  expect(failure).toMatchObject({ problem: "too_large" });
  expect((await read("/gzip", { maxWireBytes: page.length, maxBytes: 14 })).status).toBe(200);
  await expect(read("/gzip", { maxBytes: 13 })).rejects.toMatchObject({ problem: "too_large" });
});

test.each(["BÜCHER.example", "localhost", "site.example.", "router", "127.0.0.2", "2130706434", "[::ffff:7f00:2]"])(
  "200 %s: an address that the operator allows is open under every name and spelling",
  async (host) => {
    expect((await read("/plain", {}, host)).text).toBe("hello");
  },
);

test("200: the connection is made to the addresses that were checked, even if the name changes a moment later", async () => {
  const [first, second] = [createHttpClient(settings, names), createHttpClient(settings, names)];
  expect((await read("/plain", {}, "changes.example", first)).text).toBe("hello");
  expect(names.asked.filter((name) => name === "changes.example")).toHaveLength(1);
  const failure = read("/plain", {}, "changes.example", second);
  await expect(failure).rejects.toMatchObject({ problem: "not_public" });
  await Promise.all([first.close(), second.close()]);
});

test("200: of several addresses one that answers is enough", async () => {
  expect((await read("/plain", {}, "two.example")).text).toBe("hello");
});

test("200: a proxy in the environment is not used", async () => {
  const before = { ...process.env };
  Object.assign(process.env, { http_proxy: "http://127.0.0.1:1", HTTP_PROXY: "http://127.0.0.1:1", NO_PROXY: "" });
  try {
    const own = createHttpClient(settings, names);
    expect((await read("/plain", {}, "site.example", own)).text).toBe("hello");
    await own.close();
  } finally {
    process.env = before;
  }
});

test("a body is read no faster than its reader reads, and the connection ends when the reader stops", async () => {
  const before = process.memoryUsage().rss;
  const flood = `http://site.example:${odd.port}/flood`;
  const endless = { ...OPTIONS, maxWireBytes: 1e12, maxBytes: 1e12 };
  const left = await http.fetchPublic(flood, endless);
  for await (const chunk of left.body) {
    expect(chunk.length).toBeLessThanOrEqual(MB);
    break;
  }
  const dropped = await http.fetchPublic(flood, endless);
  dropped.discard();
  await expect.poll(() => odd.open()).toBe(0);
  expect(process.memoryUsage().rss - before).toBeLessThan(50 * MB);
});

test("timeout: a body that nobody reads is discarded", async () => {
  await http.fetchPublic(`http://site.example:${odd.port}/flood`, { ...OPTIONS, timeMs: 1_000 });
  await expect.poll(() => odd.open()).toBe(0);
});

test("timeout: the remaining time is less than connecting may take", async () => {
  const own = createHttpClient(settings, {
    resolve: () => new Promise(() => undefined),
    limits: { connectMs: 60_000 },
  });
  await expect(read("/plain", { timeMs: 50 }, "slow.example", own)).rejects.toMatchObject({ problem: "timeout" });
  await own.close();
});

test("the body of a redirect is discarded", async () => {
  expect(await read(`http://site.example:${odd.port}/flood-away`)).toMatchObject({ status: 200, text: "odd" });
  await expect.poll(() => odd.open()).toBe(0);
});

test("timeout: the caller ends the request in the middle of the body", async () => {
  const stop = new AbortController();
  const visit = await http.fetchPublic(`http://site.example:${odd.port}/flood`, {
    ...OPTIONS,
    maxWireBytes: 1e12,
    maxBytes: 1e12,
    timeMs: 60_000,
    signal: stop.signal,
  });
  const reading = (async () => {
    for await (const chunk of visit.body) if (chunk.length > 0) stop.abort();
  })();
  await expect(reading).rejects.toMatchObject({ problem: "timeout" });
  await expect.poll(() => odd.open()).toBe(0);
});

test("a large body arrives whole, and a slow reader is not mistaken for a slow server", async () => {
  const bytes = Buffer.from(Array.from({ length: 5 * MB }, (_, i) => (i * 7919) >> 7));
  routes["/large"] = (_, res) => res.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(bytes));
  const own = createHttpClient(settings, { ...names, limits: { windowMs: 5, windowBytes: 1e9 } });
  const { body } = await own.fetchPublic(`http://site.example:${port}/large`, {
    ...OPTIONS,
    maxWireBytes: 9 * MB,
    maxBytes: 9 * MB,
  });
  const hash = createHash("sha256");
  let longest = 0;
  for await (const chunk of body) {
    hash.update(chunk);
    longest = Math.max(longest, chunk.length);
    const until = performance.now() + 1;
    while (performance.now() < until);
  }
  await own.close();
  expect(hash.digest("hex")).toBe(createHash("sha256").update(bytes).digest("hex"));
  expect(longest).toBeLessThanOrEqual(64 * 1024);
});

function pairs(list: readonly string[]): [string, string][] {
  return Array.from({ length: list.length / 2 }, (_, i) => [list[2 * i]!, list[2 * i + 1]!]);
}
