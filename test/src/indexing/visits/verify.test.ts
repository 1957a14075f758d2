import { afterEach, expect, test, vi } from "vitest";
import { askNames } from "../../../../src/indexing/visits/verify.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { createHttpClient } from "../../../../src/platform/http-client/http-client.ts";

afterEach(() => void vi.useRealTimers());

const DOMAINS = ["googlebot.com", "google.com"];
const NOW = Date.parse("2026-01-05T12:00:00Z");
const HOUR = 60 * 60 * 1_000;
const CONFIG = readConfig({ SITE_URL: "http://beckon.test" });
const question = (address: string) => ({ address, domains: DOMAINS });

/** A client that knows the names of addresses, and the addresses of names. */
function client(namesOf: Record<string, string[]>, addressesOf: Record<string, string[]>) {
  const asked: string[] = [];
  const answer = (table: Record<string, string[]>) => async (key: string) => {
    asked.push(key);
    if (table[key]) return table[key];
    throw Object.assign(new Error("none"), { code: "ENOTFOUND" });
  };
  return {
    asked,
    http: createHttpClient(CONFIG, { names: { reverse: answer(namesOf), forward: answer(addressesOf) } }),
  };
}

test("an address is its operator's if a name in its domains leads back to it", async () => {
  const { asked, http } = client(
    {
      "1.1.1.1": ["crawl.googlebot.com"],
      "1.1.1.2": ["crawl.googlebot.com"],
      "1.1.1.3": ["googlebot.com.evil.example", "evilgooglebot.com"],
      "1.1.1.4": ["Other.Example", "CRAWL.Google.com."],
      "2001:db8::1": ["six.google.com"],
    },
    {
      "crawl.googlebot.com": ["1.1.1.1"],
      "crawl.google.com": ["9.9.9.9", "1.1.1.4"],
      "six.google.com": ["2001:DB8:0::1"],
    },
  );
  const addresses = ["1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4", "2001:db8::1", "1.1.1.5"];
  expect(await askNames(http, addresses.map(question), NOW)).toEqual([true, false, false, true, true, false]);
  expect(asked.filter((name) => name.includes("evil") || name.includes("other"))).toEqual([]);
});

test("an answer is kept for an hour, also a no", async () => {
  const { asked, http } = client({ "1.1.1.1": ["a.google.com"] }, { "a.google.com": ["1.1.1.1"] });
  const questions = ["1.1.1.1", "1.1.1.2"].map(question);
  for (const now of [NOW, NOW + HOUR - 1]) expect(await askNames(http, questions, now)).toEqual([true, false]);
  expect(asked.length).toBe(3);
  await askNames(http, questions, NOW + HOUR);
  expect(asked.length).toBe(6);
});

test("name servers that never answer hold up a log for seconds", async () => {
  vi.useFakeTimers();
  let asked = 0;
  const hasNameIn = () => {
    asked += 1;
    return new Promise<boolean>(() => undefined);
  };
  const questions = Array.from({ length: 200 }, (_, i) => question(`1.1.1.${i}`));
  const answers = askNames({ hasNameIn }, questions, NOW);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await answers).toEqual(questions.map(() => false));
  expect(asked).toBe(10);
});

test("a failure of name servers is no answer, and is asked again", async () => {
  let asked = 0;
  const names = {
    reverse: async (): Promise<string[]> => {
      asked += 1;
      throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    },
    forward: async () => [],
  };
  const http = createHttpClient(CONFIG, { names });
  for (let i = 0; i < 2; i++) expect(await askNames(http, [question("1.1.1.1")], NOW)).toEqual([false]);
  expect(asked).toBe(2);
});
