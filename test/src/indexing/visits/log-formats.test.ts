import { expect, test } from "vitest";
import { crawlerIn } from "../../../../src/indexing/visits/crawlers.ts";
import { entryIn } from "../../../../src/indexing/visits/log-formats.ts";
import { timeIn } from "../../../../src/indexing/visits/log-time.ts";
import { RecordSplitter } from "../../../../src/indexing/visits/records.ts";

const AGENT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const TIME = "[25/Nov/2026:08:15:30 +0000]";
const at = Date.UTC(2026, 10, 25, 8, 15, 30);
const plain = {
  at,
  host: null,
  method: "GET",
  target: "/a?b=c",
  userAgent: AGENT,
  address: "66.249.66.1",
  status: 200,
};

test.each([
  ["nginx and Apache", `66.249.66.1 - - ${TIME} "GET /a?b=c HTTP/1.1" 200 5120 "-" "${AGENT}"`, plain],
  [
    "more fields after it",
    `66.249.66.1 - - ${TIME} "GET /a?b=c HTTP/2.0" 200 5120 "-" "${AGENT}" "1.2.3.4" 0.1`,
    plain,
  ],
  [
    "a host before it",
    `example.com:443 66.249.66.1 - - ${TIME} "GET /a?b=c HTTP/1.1" 200 5 "-" "${AGENT}"`,
    { ...plain, host: "example.com:443" },
  ],
  ["a user with blanks", `66.249.66.1 - a user name ${TIME} "GET /a?b=c HTTP/1.1" 200 5 "-" "${AGENT}"`, plain],
  [
    "a name for an address",
    `crawl.googlebot.com - - ${TIME} "GET /a?b=c HTTP/1.1" 200 5 "-" "${AGENT}"`,
    { ...plain, address: null },
  ],
  ["no status", `66.249.66.1 - - ${TIME} "GET /a?b=c HTTP/1.1" - - "-" "${AGENT}"`, { ...plain, status: null }],
  ["IPv6", `2001:db8::1 - - ${TIME} "GET /a?b=c HTTP/1.1" 200 5 "-" "${AGENT}"`, { ...plain, address: "2001:db8::1" }],
  [
    "blanks in the path",
    `66.249.66.1 - - ${TIME} "GET /a b  c HTTP/1.1" 200 5 "-" "${AGENT}"`,
    { ...plain, target: "/a%20b%20%20c" },
  ],
  [
    "quotes in the path",
    `66.249.66.1 - - ${TIME} "GET /a\\"b\\\\ HTTP/1.1" 200 5 "-" "${AGENT}"`,
    { ...plain, target: "/a%22b%5C" },
  ],
  [
    "bytes in the path",
    `66.249.66.1 - - ${TIME} "GET /\\xC3\\xA9 HTTP/1.1" 200 5 "-" "${AGENT}"`,
    { ...plain, target: "/%C3%A9" },
  ],
  [
    "HTTP in the path",
    `66.249.66.1 - - ${TIME} "GET /a HTTP/1.1 HTTP/1.1" 200 5 "-" "${AGENT}"`,
    { ...plain, target: "/a%20HTTP/1.1" },
  ],
])("combined format: %s", (_, line, entry) => {
  expect(entryIn(line)).toEqual({ ...entry, id: null });
});

test.each([
  [
    "Cloudflare",
    {
      EdgeStartTimestamp: at * 1e6,
      ClientRequestHost: "example.com",
      ClientRequestMethod: "GET",
      ClientRequestURI: "/a?b=c",
      ClientRequestUserAgent: AGENT,
      ClientIP: "66.249.66.1",
      EdgeResponseStatus: 200,
      RayID: "r",
    },
    { id: "r", host: "example.com" },
  ],
  [
    "Cloudflare with RFC 3339",
    {
      EdgeStartTimestamp: "2026-11-25T08:15:30Z",
      ClientRequestPath: "/a?b=c",
      ClientRequestUserAgent: AGENT,
      ClientIP: "66.249.66.1",
      EdgeResponseStatus: 200,
    },
    {},
  ],
  [
    "Vercel",
    {
      timestamp: 5,
      host: "other.example",
      requestId: "q",
      proxy: {
        timestamp: at,
        method: "GET",
        host: "example.com",
        path: "/a?b=c",
        userAgent: [AGENT],
        clientIp: "66.249.66.1",
        statusCode: 200,
      },
    },
    { id: "q", host: "example.com" },
  ],
  [
    "Caddy",
    {
      ts: at / 1000,
      status: 200,
      request: {
        remote_ip: "10.0.0.1",
        client_ip: "66.249.66.1",
        method: "GET",
        host: "example.com",
        uri: "/a?b=c",
        headers: { "User-Agent": [AGENT] },
      },
    },
    { host: "example.com" },
  ],
  [
    "nginx as JSON",
    {
      time_iso8601: "2026-11-25T09:15:30+01:00",
      remote_addr: "66.249.66.1",
      request: "GET /a?b=c HTTP/1.1",
      status: "200",
      http_user_agent: AGENT,
    },
    {},
  ],
  ["the fields of our documents", { time: at, ip: "66.249.66.1", url: "/a?b=c", status: 200, agent: AGENT }, {}],
])("JSON: %s", (_, record, more) => {
  expect(entryIn(JSON.stringify(record))).toEqual({ ...plain, id: null, ...more });
});

test.each([
  "",
  "-",
  "{",
  "{}",
  "null",
  '{"__proto__":{"time":1}}',
  `66.249.66.1 - - ${TIME} "GET /a`,
  `66.249.66.1 - - ${TIME} "GET /a HTTP/1.1" 200 5 "-" "Googlebot`,
  `66.249.66.1 - - ${TIME} "\\x16\\x03\\x01" 400 5 "-" "${AGENT}"`,
  `66.249.66.1 - - [25/Nov/2026:08:15:30] "GET / HTTP/1.1" 200 5 "-" "${AGENT}"`,
  `66.249.66.1 - - [30/Feb/2026:08:15:30 +0000] "GET / HTTP/1.1" 200 5 "-" "${AGENT}"`,
  JSON.stringify({ time: "yesterday", url: "/" }),
  JSON.stringify({ source: "lambda", timestamp: at, message: "GET /" }),
])("no request: %s", (record) => {
  expect(entryIn(record)).toBeNull();
});

test("the time of a hostile line is read in linear time", () => {
  const line = `1.1.1.1 - - ${'[x] "'.repeat(13_000)}`;
  const begun = performance.now();
  for (let i = 0; i < 100; i++) entryIn(line);
  expect(performance.now() - begun).toBeLessThan(1_000);
});

test.each([
  ["10/Oct/2000:13:55:36 -0700", "2000-10-10T20:55:36.000Z"],
  ["01/Jan/2026:00:30:00 +1400", "2025-12-31T10:30:00.000Z"],
  ["31/Dec/1999:23:59:60 +0000", "2000-01-01T00:00:00.000Z"],
  ["2026-02-28T23:30:00.123456789-02:30", "2026-03-01T02:00:00.000Z"],
  ["2026-02-28T23:30:00", "2026-02-28T23:30:00.000Z"],
  [1_795_000_000, "2026-11-18T11:06:40.000Z"],
  ["1795000000.123", "2026-11-18T11:06:40.123Z"],
  [1_795_000_000_000, "2026-11-18T11:06:40.000Z"],
  [1_795_000_000_000_000, "2026-11-18T11:06:40.000Z"],
  ["1795000000000000000", "2026-11-18T11:06:40.000Z"],
])("the time %s", (given, time) => {
  expect(new Date(timeIn(given)!).toISOString()).toBe(time);
});

test.each([
  "10/Oct/2000:13:55:36 -1500",
  "10/Oct/2000:24:00:00 +0000",
  "29/Feb/2026:00:00:00 +0000",
  "10/Okt/2026:00:00:00 +0000",
  "2026-13-01T00:00:00Z",
  "2026-11-25",
  -1,
  Number.NaN,
  {},
  null,
])("no time: %s", (given) => {
  expect(timeIn(given)).toBeNull();
});

test.each([
  [AGENT, "Googlebot"],
  ["Googlebot-Image/1.0", "Googlebot-Image"],
  [
    "Mozilla/5.0 (Linux; Android 6.0.1) Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Googlebot",
  ],
  ["Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "bingbot"],
  [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)",
    "Claude-User",
  ],
  ["Mozilla/5.0 (compatible; Claude-SearchBot/1.0; +claudebot@anthropic.com)", "Claude-SearchBot"],
  [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
    "PerplexityBot",
  ],
  ["Mozilla/5.0 (Macintosh) (Applebot/0.1; +http://www.apple.com/go/applebot)", "Applebot"],
  ["CCBot/2.0 (https://commoncrawl.org/faq/)", "CCBot"],
  ["NotGooglebot/1.0", null],
  ["Googlebot-Fake/1.0", null],
  ["Mozilla/5.0 (+http://www.google.com/Googlebot/)", null],
  ["my-GPTBot/1", null],
  ["Mozilla/5.0 (Windows NT 10.0)", null],
  ["", null],
])("the crawler of %s", (userAgent, name) => {
  expect(crawlerIn(userAgent)).toBe(name);
});

/** The records of a text that comes in pieces of a length. */
function split(text: string, length: number): (string | null)[] {
  const records: (string | null)[] = [];
  const splitter = new RecordSplitter((record) => records.push(record));
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += length) splitter.write(bytes.subarray(from, from + length));
  splitter.end();
  return records;
}

test.each([1, 3, 1_000])(
  "records of lines, of a list over several lines, and what is cut off, in pieces of %i",
  (length) => {
    expect(split("a\r\n\nb é\n c ", length)).toEqual(["a", "b é", "c"]);
    expect(split('\n[ {"a": "}]\\\\\\"{"},\n{"b":{"c":1}} , {"d', length)).toEqual([
      '{"a": "}]\\\\\\"{"}',
      '{"b":{"c":1}}',
      '{"d',
    ]);
    expect(split("[10/Oct cut off\nb", length)).toEqual(["[10/Oct cut off", "b"]);
    expect(split(`${"x".repeat(70_000)}\nb\n${"y".repeat(70_000)}`, length * 64)).toEqual([null, "b", null]);
    expect(split("", length)).toEqual([]);
  },
);
