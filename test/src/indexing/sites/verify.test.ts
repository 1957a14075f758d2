import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { checkKeyFile, type KeyFileCheck, keyUrlOf } from "../../../../src/indexing/sites/verify.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import {
  createHttpClient,
  FetchFailure,
  type FetchProblem,
  type HttpClient,
} from "../../../../src/platform/http-client/http-client.ts";
import { keyHost, page } from "../../../support/network/key-host.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const OTHER_KEY = "fedcba9876543210fedcba9876543210";

const website = await keyHost();
const elsewhere = await keyHost();
const ports = `${website.port},${elsewhere.port}`;
const http = createHttpClient(readConfig({ FETCH_ALLOW_CIDRS: "127.0.0.0/8", FETCH_ALLOW_PORTS: ports }));
const guarded = createHttpClient(readConfig({ FETCH_ALLOW_PORTS: ports }));
afterAll(async () => {
  await http.close();
  await guarded.close();
  await website.close();
  await elsewhere.close();
});
beforeEach(() => {
  website.asked.length = 0;
  elsewhere.asked.length = 0;
});

const site = { host: website.host, indexnowKey: KEY };
const found = { result: "found", keyUrl: `http://${website.host}/${KEY}.txt` };
const check = (timeMs?: number) => checkKeyFile(http, site, timeMs);
const BOM = "\ufeff";

test.each([
  ["the key", KEY],
  ["the key and a line feed", `${KEY}\n`],
  ["a byte order mark, the key, line ends and spaces", `${BOM}${KEY} \r\n\r\n`],
])("found: %s, over http if nothing answers over https", async (_, text) => {
  website.answer = page(text);
  expect(await check()).toEqual(found);
  expect(website.asked).toEqual([`/${KEY}.txt`]);
});

test("found: behind a redirect on the same host, and reported at the requested address", async () => {
  website.answer = (req, res) =>
    req.url === "/files/key" ? page(KEY)(req, res) : page("", 301, { Location: "/files/key" })(req, res);
  expect(await check()).toEqual(found);
});

test.each([
  ["nothing", ""],
  ["the key of another account", OTHER_KEY],
  ["two keys", `${KEY}\n${OTHER_KEY}`],
  ["the key in capitals", KEY.toUpperCase()],
  ["half of the key", KEY.slice(0, 16)],
  ["a page that has the key in it", `<!doctype html><p>${KEY}</p>`],
  ["UTF-16", Buffer.from(`${BOM}${KEY}`, "utf16le")],
  ["the key and a page behind it", `${KEY}\n${" ".repeat(3_000)}x`],
  ["a file that is too large, though it begins with the key", `${KEY}${" ".repeat(1_000_000)}`],
])("other_content: %s", async (_, text) => {
  website.answer = page(text);
  expect(await check()).toEqual({ result: "other_content" });
});

test.each([
  [404, "file_not_found"],
  [410, "file_not_found"],
  [401, "not_readable"],
  [403, "not_readable"],
  [206, "not_readable"],
  [429, "no_answer"],
  [500, "no_answer"],
  [503, "no_answer"],
] as const)("status %i is %s, whatever the body", async (status, result) => {
  website.answer = page(KEY, status);
  expect(await check()).toEqual({ result });
});

const AWAY: readonly (readonly [where: string, location: () => string, result: KeyFileCheck["result"]])[] = [
  ["another host", () => `http://localhost:${elsewhere.port}/${KEY}.txt`, "not_readable"],
  ["an address that is not public", () => "http://169.254.169.254/latest/meta-data", "not_readable"],
  ["another scheme", () => "file:///etc/passwd", "not_readable"],
  ["nowhere", () => "http://", "not_readable"],
  ["a port that is not open", () => "http://127.0.0.1:1/", "not_public"],
];

test.each(AWAY)("a redirect to %s is not followed", async (_, location, result) => {
  elsewhere.answer = page(KEY);
  website.answer = page("", 302, { Location: location() });
  expect(await check()).toEqual({ result });
  expect(elsewhere.asked).toEqual([]);
});

test("not_readable: a redirect to another port, whatever is there", async () => {
  elsewhere.answer = page(KEY);
  website.answer = page("", 302, { Location: `http://${elsewhere.host}/${KEY}.txt` });
  expect(await check()).toEqual({ result: "not_readable" });
});

test("not_readable: endless redirects", async () => {
  website.answer = (req, res) => page("", 302, { Location: `${req.url}x` })(req, res);
  expect(await check()).toEqual({ result: "not_readable" });
  expect(website.asked).toHaveLength(3);
});

describe("no_answer", () => {
  test("the host is slow to begin its answer", async () => {
    website.answer = () => undefined;
    expect(await check(100)).toEqual({ result: "no_answer" });
  });

  test("the host is slow to end its answer", async () => {
    website.answer = (_, res) => void res.writeHead(200).write(KEY);
    expect(await check(100)).toEqual({ result: "no_answer" });
  });

  test("the host closes the connection", async () => {
    website.answer = (req) => void req.socket.destroy();
    expect(await check()).toEqual({ result: "no_answer" });
  });

  test("nothing listens at the host", async () => {
    const gone = await keyHost();
    const open = createHttpClient(
      readConfig({ FETCH_ALLOW_CIDRS: "127.0.0.0/8", FETCH_ALLOW_PORTS: String(gone.port) }),
    );
    await gone.close();
    expect(await checkKeyFile(open, { ...site, host: gone.host })).toEqual({ result: "no_answer" });
    await open.close();
  });

  test("the host does not exist", async () => {
    const resolve = () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }));
    const lost = createHttpClient(readConfig({}), { resolve });
    expect(await checkKeyFile(lost, { ...site, host: "example.com" })).toEqual({ result: "no_answer" });
    await lost.close();
  });
});

test.each([
  website.host,
  `localhost:${website.port}`,
  "localhost",
  "127.0.0.1",
  "169.254.169.254",
  "10.0.0.1",
  "[::1]",
  "[::ffff:127.0.0.1]",
])("not_public: %s, and nothing is requested", async (host) => {
  website.answer = page(KEY);
  expect(await checkKeyFile(guarded, { host, indexnowKey: KEY })).toEqual({ result: "not_public" });
  expect(website.asked).toEqual([]);
});

test("not_public: the port is not one of the open ones", async () => {
  expect(await checkKeyFile(http, { ...site, host: "127.0.0.1:1" })).toEqual({ result: "not_public" });
});

/** The open web, where https cannot be stood up on this machine. */
function web(answers: Readonly<Record<string, string | FetchProblem>>): HttpClient & { readonly visited: string[] } {
  const visited: string[] = [];
  return {
    visited,
    async fetchPublic(url, options) {
      expect(options).toMatchObject({
        accept: "text/plain",
        sameHost: true,
        redirects: 2,
        timeMs: 10_000,
        maxBytes: 4_096,
      });
      visited.push(url);
      const answer = answers[new URL(url).protocol]!;
      if (answer !== KEY) throw new FetchFailure(answer as FetchProblem);
      const body = (async function* () {
        yield Buffer.from(answer);
      })();
      return { status: 200, url, headers: {}, headerLines: () => [], body, discard: () => undefined };
    },
    postPublic: () => Promise.reject(new Error("no message is expected")),
    checkPublic: async () => undefined,
    hasNameIn: async () => null,
    callApi: () => Promise.reject(new Error("no request is expected")),
    close: async () => undefined,
  };
}

test("found: over https, and http is not tried", async () => {
  const open = web({ "https:": KEY, "http:": KEY });
  const keyUrl = keyUrlOf("https", { host: "example.com", indexnowKey: KEY });
  expect(await checkKeyFile(open, { host: "example.com", indexnowKey: KEY })).toEqual({ result: "found", keyUrl });
  expect(open.visited).toEqual([keyUrl]);
});

test.each([
  ["unreachable", "found", 2],
  ["timeout", "no_answer", 1],
  ["unresolved", "no_answer", 1],
  ["broken", "not_readable", 1],
  ["not_public", "not_public", 1],
  ["too_large", "other_content", 1],
  ["too_many_redirects", "not_readable", 1],
] as const)("https answers %s: %s, after %i requests", async (problem, result, visits) => {
  const open = web({ "https:": problem, "http:": KEY });
  expect((await checkKeyFile(open, { host: "example.com", indexnowKey: KEY })).result).toBe(result);
  expect(open.visited).toHaveLength(visits);
});
