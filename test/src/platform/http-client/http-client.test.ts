import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, constants, createGzip, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import {
  createHttpClient,
  FetchFailure,
  type FetchOptions,
  type FetchProblem,
} from "../../../../src/platform/http-client/http-client.ts";
import {
  type Answer,
  drips,
  floods,
  nameServer,
  raw,
  says,
  startRawServer,
} from "../../../support/network/raw-server.ts";

const MB = 1024 * 1024;
const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const spaces = Buffer.alloc(MB, 0x20);
const text = Buffer.from(Array.from({ length: MB / 8 }, (_, i) => String(i * 7919).padStart(8, "0")).join(""));
const bomb = await buffer(Readable.from(Array<Buffer>(300).fill(spaces)).pipe(createGzip()));
const brotliBomb = brotliCompressSync(Buffer.alloc(20 * MB), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const zstdBomb = zstdCompressSync(Buffer.alloc(20 * MB));
const members = Buffer.concat(Array.from({ length: 300 }, () => gzipSync(spaces)));
const wrongSum = Buffer.concat([gzipSync("hello").subarray(0, -8), Buffer.alloc(8)]);
const gzip = { "Content-Encoding": "gzip" };
const to = (location: string) => says("302 Found", { Location: location });

/** Nobody may get here: it stands for what is inside. */
const inside = await startRawServer("127.0.0.1", () => says("200 OK", {}, "secret"));
const routes: Record<string, Answer> = {};
/** The open web of these tests is 127.0.0.2 alone. */
const web = await startRawServer("127.0.0.2", (path) => routes[path] ?? says("404 Not Found", {}));
const site = `http://site.example:${web.port}`;
const WITHIN = `127.0.0.1:${inside.port}`;

const names = nameServer({
  "site.example": [["127.0.0.2"]],
  "other.example": [["127.0.0.2"]],
  "127.0.0.1.nip.example": [["127.0.0.1"]],
  "mixed.example": [["127.0.0.2", "127.0.0.1"]],
  "mixed6.example": [["127.0.0.2", "fd00::1"]],
  "mapped.example": [["::ffff:127.0.0.1"]],
  "nat64.example": [["64:ff9b::7f00:1"]],
  "zone.example": [["fe80::1%1"]],
  "metadata.example": [["169.254.169.254"]],
  "nonsense.example": [["not an address"]],
  "empty.example": [[]],
  "metadata.google.internal": [["93.184.216.34"]],
  "rebinds.example": [["127.0.0.1"], ["127.0.0.2"]],
  localhost: [["127.0.0.1"]],
  router: [["93.184.216.34"]],
});
const http = createHttpClient(
  {
    siteUrl: "https://beckon.test",
    contact: undefined,
    fetchAllowCidrs: ["127.0.0.2/32"],
    fetchAllowPorts: [web.port, inside.port, 1],
  },
  {
    resolve: (name) => {
      if (name === "slow.example") return new Promise(() => undefined);
      if (name === "down.example") return Promise.reject(Object.assign(new Error(), { code: "EAI_AGAIN" }));
      return names.resolve(name);
    },
    limits: { connectMs: 200, headersMs: 200, windowMs: 100, windowBytes: 1_000, idleMs: 50 },
  },
);
afterAll(() => http.close());

type Options = Partial<FetchOptions>;
type Attack = readonly [name: string, url: string, problem: FetchProblem, options?: Options | undefined];

/** An attack by what a server answers at `/name`. */
function served(name: string, answer: Answer, problem: FetchProblem, options?: Options): Attack {
  const path = `/${encodeURIComponent(name)}`;
  routes[path] = answer;
  return [name, `${site}${path}`, problem, options];
}

const addresses = [
  ...["127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001"],
  ...["0", "0.0.0.0", "127.0.0.1.", "%31%32%37.0.0.1", "１２７.0.0.1", "①②⑦.⓪.⓪.①", "127。0。0。1", "127.255.255.254"],
  ...["10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "192.0.0.192", "198.18.0.1", "192.88.99.1"],
  ...["169.254.169.254", "0xa9fea9fe", "168.63.129.16", "224.0.0.1", "240.0.0.1", "255.255.255.255", "203.0.113.1"],
  ...["[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:0:127.0.0.1]", "[::127.0.0.1]"],
  ...["[64:ff9b::7f00:1]", "[64:ff9b::169.254.169.254]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::1]"],
  ...["[2001:0:4136:e378:8000:63bf:80ff:fffe]", "[fe80::1]", "[fec0::1]", "[fd00:ec2::254]", "[fc00::1]"],
  ...["[2001:db8::1]", "[3fff::1]", "[ff02::1]", "[100::1]", "[4000::1]", "[5f00::1]", "[::a9fe:a9fe]"],
];

const ATTACKS: readonly Attack[] = [
  ...["file:///etc/passwd", "gopher://site.example/", "ftp://site.example/", "data:text/plain,x", "ws://site.example/"]
    .concat("javascript:alert(1)", "HTTPX://site.example/", "/etc/passwd", "//site.example/", "site.example", "")
    .map((url): Attack => ["no http: ", url, "bad_url"]),
  ["credentials", `http://user:secret@site.example:${web.port}/`, "bad_url"],
  ["a user, the host disguised as its password", `http://site.example:80@${WITHIN}/`, "bad_url"],
  ["one slash", `http:/site.example:${web.port}/`, "bad_url"],
  ["backslashes", `http:\\\\${WITHIN}\\`, "bad_url"],
  ["a space before it", ` ${site}/`, "bad_url"],
  ["CRLF and a header", `${site}/\r\nX-Injected: 1`, "bad_url"],
  ["CRLF in the host", `http://site.example\r\nHost: ${WITHIN}/`, "bad_url"],
  ["a tab in the scheme", `ht\ttp://${WITHIN}/`, "bad_url"],
  ["a NUL in the host", "http://site.example%00.evil.example/", "bad_url"],
  ["no host", "http://", "bad_url"],
  ["a zone id", "http://[fe80::1%25eth0]/", "bad_url"],
  ["an address that is none", "http://256.256.256.256/", "bad_url"],
  ["empty labels", "http://site..example/", "bad_url"],
  ["two dots at the end", "http://localhost../", "bad_url"],
  ["port 65536", "http://site.example:65536/", "bad_url"],

  ...addresses.map((host): Attack => ["not public: ", `http://${host}:${inside.port}/`, "not_public"]),
  ["https to an address inside", `https://${WITHIN}/`, "not_public"],
  ...[
    "localhost",
    "LOCALHOST",
    "localhost.",
    "ｌｏｃａｌｈｏｓｔ",
    "any.localhost",
    "metadata.google.internal",
    "router",
  ]
    .concat("printer.local", "hidden.onion", "db.test", "thing.invalid", "intranet", "nas.home.arpa")
    .map((host): Attack => ["not public: ", `http://${host}:${inside.port}/`, "not_public"]),
  ...["127.0.0.1.nip", "mixed", "mixed6", "mapped", "nat64", "zone", "metadata", "nonsense", "rebinds"].map(
    (name): Attack => ["a name that leads inside: ", `http://${name}.example:${inside.port}/`, "not_public"],
  ),
  ...[22, 0, 25, 6379, 8080].map((port): Attack => ["port: ", `http://site.example:${port}/`, "not_public"]),

  ["no such name", "http://nothing.example/", "unresolved"],
  ["a name without addresses", "http://empty.example/", "unresolved"],
  ["a name server that is down", "http://down.example/", "unreachable"],
  ["a name server that never answers", "http://slow.example/", "timeout"],
  ["the same, with less time than connecting may take", "http://slow.example/", "timeout", { timeMs: 50 }],
  ["nobody listens", "http://site.example:1/", "unreachable"],
  ["no TLS where TLS should be", `https://site.example:${web.port}/`, "unreachable"],
  served("hangs up", (socket) => void socket.end(), "unreachable"),
  served("resets", (socket) => void socket.resetAndDestroy(), "unreachable"),

  served("redirect to an address inside", to(`http://${WITHIN}/`), "not_public"),
  served("redirect without a scheme", to(`//${WITHIN}/`), "not_public"),
  served("redirect to localhost", to(`http://localhost:${inside.port}/`), "not_public"),
  served("redirect to a name that leads inside", to(`http://mixed.example:${inside.port}/`), "not_public"),
  served("redirect to metadata", to("http://169.254.169.254/latest/meta-data/"), "not_public"),
  served("redirect to port 22", to("http://site.example:22/"), "not_public"),
  served("redirect to a file", to("file:///etc/passwd"), "bad_url"),
  served("redirect to a script", to("javascript:alert(1)"), "bad_url"),
  served("redirect with credentials", to(`http://user:secret@site.example:${web.port}/`), "bad_url"),
  served("redirect to itself", to("#again"), "too_many_redirects"),
  served("redirect when none is wanted", to("/"), "too_many_redirects", { redirects: 0 }),
  ...[6, 5, 4, 3, 2, 1].map((hops) =>
    served(`hops-${hops}`, to(`/hops-${hops - 1}`), "too_many_redirects", { redirects: Math.min(hops - 1, 5) }),
  ),
  served("redirect without Location", says("301 Moved", {}), "broken"),
  served("redirect with an empty Location", to(""), "broken"),
  served("redirect that does not parse", to("http://[::1"), "broken"),
  served("redirect with two Locations", raw("HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\n\r\n"), "broken"),
  served("redirect to another host", to(`http://other.example:${web.port}/`), "left_host", { sameHost: true }),
  served("redirect with a bare CR in Location", raw(`HTTP/1.1 302 Found\r\nLocation: /a\rX: 1\r\n\r\n`), "broken"),

  served("never answers", () => undefined, "timeout"),
  served("headers by the letter", drips(OK, "X", 20), "timeout"),
  served("a header after the other", drips(OK, "X: 1\r\n", 20), "timeout"),
  served("interim answers for ever", drips("", "HTTP/1.1 103 Early Hints\r\n\r\n", 20), "timeout", { timeMs: 400 }),
  served("a body that stops", (socket) => void socket.write(`${OK}Content-Length: 9\r\n\r\n1`), "timeout"),
  served("a body by the letter", drips(`${OK}\r\n`, "x", 10), "timeout"),
  served("a body that drips fast enough", drips(`${OK}\r\n`, "x".repeat(200), 5), "timeout", { timeMs: 400 }),
  served("an endless chunk extension", drips(`${CHUNKED}5;`, "x".repeat(100), 10), "timeout"),
  served("the caller has had enough", () => undefined, "timeout", { signal: AbortSignal.abort() }),

  served("huge header", floods(`${OK}X: `, "x".repeat(1024), 100), "too_large"),
  served("many headers", floods(OK, "X: y\r\n".repeat(100), 100), "too_large"),
  served("large, and says so", says("200 OK", { "Content-Length": "999999999" }, "x".repeat(MB)), "too_large"),
  served("large, and says nothing", floods(`${OK}\r\n`, spaces), "too_large"),
  served("large in chunks", floods(CHUNKED, `${MB.toString(16)}\r\n${spaces}\r\n`), "too_large"),
  served("gzip of more than is wanted", says("200 OK", gzip, gzipSync(text.subarray(0, 200_000))), "too_large", {
    maxBytes: 150_000,
  }),
  served("gzip bomb", says("200 OK", gzip, bomb), "too_large", { maxBytes: 400 * MB }),
  served("gzip bomb in many members", says("200 OK", gzip, members), "too_large"),
  served("gzip bomb in gzip", says("200 OK", { "Content-Encoding": "gzip, gzip" }, gzipSync(bomb)), "too_large"),
  served("gzip bomb in a file", says("200 OK", { "Content-Encoding": "identity, gzip" }, bomb), "too_large"),
  served("brotli bomb", says("200 OK", { "Content-Encoding": "br" }, brotliBomb), "too_large", { maxBytes: 400 * MB }),
  served("zstd bomb", says("200 OK", { "Content-Encoding": "zstd" }, zstdBomb), "too_large", { maxBytes: 400 * MB }),
  served(
    "deflate bomb",
    says("200 OK", { "Content-Encoding": "deflate" }, deflateSync(Buffer.alloc(20 * MB))),
    "too_large",
  ),
  served("gzip bomb behind true text", says("200 OK", gzip, Buffer.concat([gzipSync(text), bomb])), "too_large", {
    maxBytes: 400 * MB,
  }),

  ...["gzip", "br", "zstd", "gzip, gzip", "gzip, deflate", "compress", "dcb, br", "deflate,".repeat(6)].map((coding) =>
    served(`coding ${coding}`, says("200 OK", { "Content-Encoding": coding }, deflateSync("x")), "broken"),
  ),
  served("truncated gzip", says("200 OK", gzip, gzipSync(text.subarray(0, 1_000)).subarray(0, -9)), "broken"),
  served("gzip that is none", says("200 OK", gzip, "hello"), "broken"),
  served(
    "gzip with something behind it",
    says("200 OK", gzip, Buffer.concat([gzipSync("x"), Buffer.from("y")])),
    "broken",
  ),
  served("gzip with a wrong sum", says("200 OK", gzip, wrongSum), "broken"),
  served("less than Content-Length", raw(`${OK}Content-Length: 10\r\n\r\nshort`), "broken"),
  served("chunks that end too early", raw(`${CHUNKED}5\r\nhello\r\n`), "broken"),
  served("chunks that are none", raw(`${CHUNKED}zz\r\nhello\r\n0\r\n\r\n`), "broken"),
  served("a chunk of a negative size", raw(`${CHUNKED}-5\r\nhello\r\n0\r\n\r\n`), "broken"),
  served("a chunk of more than there is", raw(`${CHUNKED}fffffffffffffffff\r\nhello`), "broken"),
  served("two lengths", raw(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`), "broken"),
  served("a length and chunks", raw(`${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`), "broken"),
  served("a length that is no number", raw(`${OK}Content-Length: 5x\r\n\r\nhello`), "broken"),
  served("a negative length", raw(`${OK}Content-Length: -1\r\n\r\nhello`), "broken"),
  served("HTTP/0.9", raw("<html>hello</html>"), "broken"),
  served("HTTP/2", raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "broken"),
  served("SSH", raw("SSH-2.0-OpenSSH_9.6\r\n"), "broken"),
  served("no status", raw("HTTP/1.1 abc OK\r\n\r\n"), "broken"),
  served("a NUL in a header", raw(`${OK}X: a\0b\r\n\r\n`), "broken"),
  served("a header without a name", raw(`${OK}: x\r\n\r\n`), "broken"),
  served("headers cut off", raw(`${OK}X: 1\r\n`), "broken"),
  served(
    "other protocols",
    raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    "broken",
  ),
];

test.for(ATTACKS)("%s %s: %s", async ([, url, problem, options]) => {
  const failure = await read(url, options).catch((thrown: unknown) => thrown);
  expect(failure).toBeInstanceOf(FetchFailure);
  expect(failure).toMatchObject({ problem, message: problem });
  expect(failure).not.toHaveProperty("cause");
});

test("too_large: 300 MB compressed to 300 KB cost little memory and time", async () => {
  const [cpu, memory] = [process.cpuUsage(), process.memoryUsage().rss];
  await expect(read(`${site}/gzip%20bomb`, { maxBytes: 400 * MB })).rejects.toMatchObject({ problem: "too_large" });
  const { user, system } = process.cpuUsage(cpu);
  expect((user + system) / 1_000).toBeLessThan(500);
  expect(process.memoryUsage().rss - memory).toBeLessThan(20 * MB);
});

test("law: none of these requests reached an internal address, and no connection is left open", async () => {
  expect(ATTACKS.length).toBeGreaterThan(150);
  expect(inside.connections()).toBe(0);
  await expect.poll(() => web.open()).toBe(0);
});

async function read(url: string, options: Options = {}): Promise<Buffer> {
  const size = { accept: "text/html", timeMs: 60_000, maxWireBytes: 2 * MB, maxBytes: 8 * MB };
  const chunks: Buffer[] = [];
  for await (const chunk of (await http.fetchPublic(url, { ...size, ...options })).body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
