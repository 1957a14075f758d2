import type { Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { FetchDetail } from "../../../../src/platform/http-client/failure.ts";
import { createHttpClient, FetchFailure } from "../../../../src/platform/http-client/http-client.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";
import { nameServer, startRawServer } from "../../../support/network/raw-server.ts";

const RUNS = fuzzRuns(400);

let answer: (socket: Socket) => void = () => undefined;
const web = await startRawServer("127.0.0.2", () => (socket) => answer(socket));
const names = nameServer({ "site.example": [["127.0.0.2"]] });
const settings = { siteUrl: "https://beckon.test", contact: undefined, fetchAllowCidrs: ["127.0.0.2/32"] };
const http = createHttpClient({ ...settings, fetchAllowPorts: [web.port] }, { ...names, limits: { idleMs: 50 } });
afterAll(() => http.close());

/** Tokens that stand in Content-Encoding, and what the body goes through for them. */
const TOKENS: readonly (readonly [token: string, encode: (body: Buffer) => Buffer])[] = [
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["GZip", gzipSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
  ...["identity", "none", "UTF-8", "utf-8", "aws-chunked", "binary", "", "constructor", "8bit"].map(
    (token) => [token, (body: Buffer) => body] as const,
  ),
];

type Framing = "length" | "chunks" | "close";
/** What goes wrong with the framing, and how that is named. */
const FAULTS = {
  none: [],
  // The end of the connection may be seen before or after the length.
  cut: ["cut_short", "length"],
  "bad chunk": ["chunks"],
  "length and chunks": ["length"],
  "two lengths": ["length"],
} as const satisfies Record<string, readonly FetchDetail[]>;
type Fault = keyof typeof FAULTS;

const faultsOf: Record<Framing, readonly Fault[]> = {
  length: ["none", "none", "cut", "two lengths"],
  chunks: ["none", "none", "cut", "bad chunk", "length and chunks"],
  close: ["none"],
};

const answers = fc
  .record({
    tokens: fc.array(
      fc.record({ use: fc.constantFrom(...TOKENS), separator: fc.constantFrom(", ", ",", "\r\nline") }),
      {
        maxLength: 5,
      },
    ),
    text: fc.oneof(
      fc.constant(""),
      fc.string({ maxLength: 300 }),
      fc.integer({ max: 3_000, min: 1 }).map((n) => `page ${n} `.repeat(n)),
    ),
    framing: fc.constantFrom<Framing>("length", "chunks", "close"),
    fault: fc.nat(),
    sizes: fc.array(fc.integer({ min: 1, max: 4_000 }), { minLength: 1, maxLength: 4 }),
    more: fc.array(fc.constantFrom("Content-Type: text/plain", "X-A: 1", "Vary: *", "Set-Cookie: a=b"), {
      maxLength: 6,
    }),
  })
  .map((one) => ({ ...one, fault: faultsOf[one.framing][one.fault % faultsOf[one.framing].length]! }));

/** The lines Content-Encoding, which may stand several times, and the body. */
function encoded(tokens: readonly { use: (typeof TOKENS)[number]; separator: string }[], text: string) {
  const header = tokens.map(({ use: [token], separator }, i) => (i === 0 ? token : `${separator}${token}`)).join("");
  const lines = tokens.length === 0 ? [] : header.split("\r\nline").map((value) => `Content-Encoding: ${value}`);
  return { lines, body: tokens.reduce<Buffer>((body, { use: [, encode] }) => encode(body), Buffer.from(text)) };
}

function framed(
  body: Buffer,
  framing: Framing,
  fault: Fault,
  sizes: readonly number[],
): { lines: string[]; sent: Buffer } {
  if (framing === "close") return { lines: [], sent: body };
  if (framing === "length") {
    const lines = [`Content-Length: ${body.length + (fault === "cut" ? 1 : 0)}`];
    if (fault === "two lengths") lines.push(`Content-Length: ${body.length + 3}`);
    return { lines, sent: body };
  }
  const parts: Buffer[] = [];
  for (let at = 0, i = 0; at < body.length; i++) {
    const part = body.subarray(at, at + sizes[i % sizes.length]!);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
    at += part.length;
  }
  parts.push(Buffer.from(fault === "bad chunk" ? "zz\r\n" : fault === "cut" ? "" : "0\r\n\r\n"));
  const length = fault === "length and chunks" ? ["Content-Length: 3"] : [];
  return { lines: ["Transfer-Encoding: chunked", ...length], sent: Buffer.concat(parts) };
}

async function read(): Promise<string> {
  const options = { accept: "*/*", timeMs: 5_000, maxWireBytes: 1e6, maxBytes: 1e6 };
  const { body } = await http.fetchPublic(`http://site.example:${web.port}/`, options);
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test("codings in any order and number, in any framing, under repeated headers: the text, or the fault by its name", {
  timeout: 60_000 + RUNS * 50,
}, async () => {
  await fc.assert(
    fc.asyncProperty(answers, async ({ tokens, text, framing, fault, sizes, more }) => {
      const { lines, body } = encoded(tokens, text);
      const frame = framed(body, framing, fault, sizes);
      const head = ["HTTP/1.1 200 OK", "Connection: close", ...more, ...frame.lines, ...lines].join("\r\n");
      answer = (socket) => void socket.end(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), frame.sent]));
      const outcome = await read().catch((thrown: FetchFailure) => thrown);
      const details = FAULTS[fault];
      if (details.length === 0) expect(outcome).toBe(text);
      else {
        expect(outcome).toBeInstanceOf(FetchFailure);
        expect(outcome).toMatchObject({ problem: "broken", detail: expect.toBeOneOf([...details]) });
      }
    }),
    { numRuns: RUNS, seed: 1 },
  );
});
