import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import type { FetchDetail } from "../../../../src/platform/http-client/failure.ts";
import {
  createHttpClient,
  FETCH_DETAILS,
  type FetchProblem,
} from "../../../../src/platform/http-client/http-client.ts";
import { certificate } from "../../../support/network/certificate.ts";
import { type Answer, nameServer, raw, says, startRawServer } from "../../../support/network/raw-server.ts";

const HOST = "site.example";
const names = nameServer({ [HOST]: [["127.0.0.2"]] });
const settings = { siteUrl: "https://beckon.test", contact: undefined, fetchAllowCidrs: ["127.0.0.2/32"] };
const OPTIONS = { accept: "*/*", timeMs: 5_000, maxWireBytes: 1e6, maxBytes: 1e6 };

async function failureOf(url: string, ca?: string) {
  const port = Number(new URL(url).port);
  const http = createHttpClient({ ...settings, fetchAllowPorts: [port] }, { ...names, ...(ca ? { ca } : {}) });
  try {
    for await (const _ of (await http.fetchPublic(url, OPTIONS)).body);
    return null;
  } catch (thrown) {
    return thrown;
  } finally {
    await http.close();
  }
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function startTls({ key, cert }: { key: string; cert: string }): Promise<string> {
  const server = createServer({ key, cert }, (_, res) => res.end("hello")).listen(0, "127.0.0.2");
  servers.push(server);
  await once(server, "listening");
  return `https://${HOST}:${(server.address() as AddressInfo).port}/`;
}

const CERTIFICATES: readonly (readonly [
  FetchDetail,
  string[],
  Parameters<typeof certificate>[1],
  isTrusted: boolean,
])[] = [
  ["certificate_self_signed", [HOST], {}, false],
  ["certificate_expired", [HOST], { to: "20210101000000Z" }, true],
  ["certificate_not_yet_valid", [HOST], { from: "21100101000000Z" }, true],
  ["certificate_wrong_host", ["other.example"], {}, true],
];

test.each(CERTIFICATES)("unreachable: %s", async (detail, hosts, dates, isTrusted) => {
  const made = certificate(hosts, dates);
  const failure = await failureOf(await startTls(made), isTrusted ? made.cert : undefined);
  expect(failure).toMatchObject({ problem: "unreachable", detail });
});

test("200: a certificate that is trusted, valid and for the host", async () => {
  const made = certificate([HOST]);
  expect(await failureOf(await startTls(made), made.cert)).toBeNull();
});

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const gzip = { "Content-Encoding": "gzip" };
const ANSWERS: readonly (readonly [string, Answer, FetchProblem, FetchDetail | undefined])[] = [
  ["a header of 20 KB", raw(`${OK}X: ${"x".repeat(20_000)}\r\n\r\n`), "too_large", "headers_too_large"],
  ["a header without a name", raw(`${OK}: x\r\n\r\n`), "broken", "headers_malformed"],
  ["a NUL in a header", raw(`${OK}X: a\0b\r\n\r\n`), "broken", "headers_malformed"],
  ["lines that end with LF alone", raw("HTTP/1.1 200 OK\nContent-Length: 2\n\nxx"), "broken", "headers_malformed"],
  ["a folded header", raw(`${OK}X: a\r\n b\r\nContent-Length: 2\r\n\r\nxx`), "broken", "headers_malformed"],
  ["headers that break off", raw(`${OK}X: 1\r\n`), "broken", undefined],
  ["two lengths", raw(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`), "broken", "length"],
  ["chunks and a length", raw(`${OK}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n`), "broken", "length"],
  [
    "a length and chunks",
    raw(`${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    "broken",
    "length",
  ],
  ["a length that is no number", raw(`${OK}Content-Length: 5x\r\n\r\nhello`), "broken", "length"],
  ["a chunk without a size", raw(`${CHUNKED}zz\r\nhello\r\n0\r\n\r\n`), "broken", "chunks"],
  ["a chunk that is longer than it says", raw(`${CHUNKED}5\r\nhello there\r\n0\r\n\r\n`), "broken", "chunks"],
  ["chunks without an end", raw(`${CHUNKED}5\r\nhello\r\n`), "broken", "cut_short"],
  ["less than it says", raw(`${OK}Content-Length: 10\r\n\r\nshort`), "broken", "cut_short"],
  ["gzip that is cut off", says("200 OK", gzip, gzipSync("hello").subarray(0, -5)), "broken", "coding"],
  ["text that calls itself gzip", says("200 OK", gzip, "hello"), "broken", "coding"],
  ["another protocol", raw("SSH-2.0-OpenSSH_9.6\r\n"), "broken", undefined],
];
const web = await startRawServer("127.0.0.2", (path) => ANSWERS[Number(path.slice(1))]![1]);

test.each(ANSWERS.map(([name, , problem, detail], i) => [name, problem, detail, i] as const))(
  "%s: %s, %s",
  async (_, problem, detail, i) => {
    const failure = await failureOf(`http://${HOST}:${web.port}/${i}`);
    expect(failure).toMatchObject({ problem, detail });
  },
);

test("no TLS where TLS should be: unreachable, tls", async () => {
  expect(await failureOf(`https://${HOST}:${web.port}/`)).toMatchObject({ problem: "unreachable", detail: "tls" });
});

test("law: every detail ends a sentence of ours", () => {
  for (const words of Object.values(FETCH_DETAILS)) expect(words).toMatch(/^(?:the|its|no) [\w',. -]+[^.]$/);
});
