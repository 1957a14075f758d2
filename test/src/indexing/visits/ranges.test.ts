import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { RANGE_FILES, type RangeFile } from "../../../../src/indexing/visits/range-files.ts";
import { rangesOf, refreshRanges } from "../../../../src/indexing/visits/ranges.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { FetchFailure, type HttpClient } from "../../../../src/platform/http-client/http-client.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

const file = (prefixes: readonly object[], creationTime = "2026-01-01T00:00:00.000000") =>
  JSON.stringify({ creationTime, prefixes });
const GOOD = file([{ ipv4Prefix: "52.1.2.0/24" }, { ipv6Prefix: "2a00:1450::/40" }]);

/** A web on which every list is this answer. */
const web = (answer: string | Buffer | Error, status = 200): Pick<HttpClient, "fetchPublic"> => ({
  async fetchPublic(url) {
    if (answer instanceof Error) throw answer;
    const body = async function* () {
      yield Buffer.from(answer);
    };
    return { status, url, headers: {}, headerLines: () => [], body: body(), discard: () => undefined };
  },
});

const refresh = (http: Pick<HttpClient, "fetchPublic">) =>
  refreshRanges({ db: store.db, http, now: store.clock.now() });

test("the lists that ship with the program count until one was read", async () => {
  const shipped = await rangesOf(store.db);
  expect(shipped("google", "66.249.66.1")).toBe(true);
  expect(shipped("google", "52.1.2.3")).toBe(false);
  expect(shipped("google", "2001:4860:4801:10::1")).toBe(true);
  expect(shipped("anthropic", "216.73.219.255")).toBe(true);
  expect(shipped("anthropic", "216.73.220.0")).toBe(false);
  expect(shipped("mistralai-user", "66.249.66.1")).toBe(false);
  expect(await refresh(web(GOOD))).toEqual({});
  const read = await rangesOf(store.db);
  for (const name of Object.keys(RANGE_FILES) as RangeFile[]) {
    expect([read(name, "52.1.2.255"), read(name, "52.1.3.0"), read(name, "::ffff:52.1.2.3")]).toEqual([
      true,
      false,
      true,
    ]);
    expect([read(name, "2a00:1450:ff::1"), read(name, "2a00:1451::1")]).toEqual([true, false]);
    expect([read(name, "66.249.66.1"), read(name, "not an address"), read(name, "fe80::1%eth0")]).toEqual([
      false,
      false,
      false,
    ]);
  }
});

const CASES: [name: string, answer: string | Buffer | Error, status?: number][] = [
  ["empty", ""],
  ["no networks", file([])],
  ["a page", "<!doctype html><title>Moved</title>"],
  ["another document", '{"prefixes":{"ipv4Prefix":"52.1.2.0/24"}}'],
  ["null", "null"],
  ["too many networks", file(Array.from({ length: 10_001 }, () => ({ ipv4Prefix: "52.1.2.0/24" })))],
  ["the whole internet", file([{ ipv4Prefix: "0.0.0.0/0" }])],
  ["half of the internet", file([{ ipv4Prefix: "128.0.0.0/1" }])],
  ["a large network", file([{ ipv4Prefix: "52.0.0.0/15" }])],
  ["many large networks", file(Array.from({ length: 17 }, (_, i) => ({ ipv4Prefix: `52.${i}.0.0/16` })))],
  ["a large network of IPv6", file([{ ipv6Prefix: "2a00::/16" }])],
  ["a private network", file([{ ipv4Prefix: "10.0.0.0/24" }])],
  ["this machine", file([{ ipv4Prefix: "127.0.0.0/24" }])],
  ["an entry without a network", file([{ ipv4Prefix: "52.1.2.0/24" }, {}])],
  ["no network", file([{ ipv4Prefix: "52.1.2.0/33" }])],
  ["a list of the future", file([{ ipv4Prefix: "52.9.9.0/24" }], "2027-01-01T00:00:00Z")],
  ["a list older than the one before", file([{ ipv4Prefix: "52.9.9.0/24" }], "2025-01-01T00:00:00Z")],
  ["packed twice", gzipSync(GOOD)],
  ["not found", GOOD, 404],
  ["moved", GOOD, 301],
  ["moved to another host", new FetchFailure("broken")],
  ["over 1 MB", new FetchFailure("too_large")],
  ["silent", new FetchFailure("timeout")],
];

test.each(CASES)("refused, and the list before stays: %s", async (_, answer, status) => {
  await refresh(web(GOOD));
  store.clock.pass(DAY);
  const refused = await refresh(web(answer, status));
  expect(Object.keys(refused)).toEqual(Object.keys(RANGE_FILES));
  const ranges = await rangesOf(store.db);
  expect([ranges("google", "52.1.2.3"), ranges("google", "52.9.9.9"), ranges("google", "10.0.0.1")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("a list that was refused does not keep the others from being read", async () => {
  const bad = web("");
  const http: Pick<HttpClient, "fetchPublic"> = {
    fetchPublic: (url, options) => (url === RANGE_FILES.google ? bad : web(GOOD)).fetchPublic(url, options),
  };
  expect(await refresh(http)).toEqual({ google: "it is not JSON" });
  const ranges = await rangesOf(store.db);
  expect([ranges("google", "66.249.66.1"), ranges("gptbot", "52.1.2.3")]).toEqual([true, true]);
});
