import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { holdTimers, until } from "../../../support/service/held-timers.ts";
import { type Answer, memoryPages } from "../../../support/website/memory-pages.ts";

const FINE = { refusal: null, warnings: [] };
const TOO_MANY = { refusal: null, warnings: ["http_429"] };
const UNREACHABLE = { refusal: null, warnings: ["unreachable"] };
const MISSING = { refusal: null, warnings: ["http_404"] };
const NOT_LOOKED_AT = { refusal: null, warnings: ["not_looked_at"] };

const LONGEST_TIMER = 2 ** 31 - 1;

const pagesOf = (host: string, count: number) =>
  Array.from({ length: count }, (_, index) => `https://${host}.example/${index}`);
const ofA = pagesOf("a", 4);
const [other] = pagesOf("b", 1);

/** An answer that comes when the test says so. */
function heldAnswer() {
  let resolve: (answer: Answer) => void = () => {};
  const promise = new Promise<Answer>((one) => {
    resolve = one;
  });
  return { promise, resolve };
}

/** Lets everything happen that waits for no timer. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 9; turn++) await setImmediate();
}

test("http_429: the other pages of the host get its verdict, which is stored, and are not requested; other hosts are", async () => {
  const pages = memoryPages((url) => (url === ofA[1] ? [429] : [200]));
  expect(await pages.check([...ofA, other!])).toMatchObject([FINE, TOO_MANY, TOO_MANY, TOO_MANY, FINE]);
  expect(pages.requests.toSorted()).toEqual([ofA[0], ofA[1], other]);
  expect(pages.facts.of(ofA[3]!)).toMatchObject(TOO_MANY);
});

test("http_429: a page that waits for its second request keeps its warning", async () => {
  const pages = memoryPages((url) => (url === ofA[0] ? [404] : [429]), { recheckMs: MINUTE });
  expect(await pages.check(ofA, 10 * MINUTE)).toMatchObject([MISSING, TOO_MANY, TOO_MANY, TOO_MANY]);
});

test("a host that gives no answer three times is given up; a later check asks it again", async () => {
  const pages = memoryPages(() => "timeout");
  const urls = pagesOf("a", 6);
  expect(await pages.check([...urls, other!])).toMatchObject(Array(7).fill({ warnings: ["timeout"] }));
  expect(pages.requests.toSorted()).toEqual([...urls.slice(0, 3), other]);
  await pages.check(urls);
  expect(pages.requests).toHaveLength(7);
});

test("an answer in between begins the count of a host again", async () => {
  const urls = pagesOf("a", 6);
  const pages = memoryPages((url) => (url === urls[2] ? [200] : "unreachable"));
  const reports = [UNREACHABLE, UNREACHABLE, FINE, UNREACHABLE, UNREACHABLE, UNREACHABLE];
  expect(await pages.check(urls)).toMatchObject(reports);
  expect(pages.requests).toEqual(urls);
});

test("host_not_public: its other pages are refused too, and are not requested", async () => {
  const pages = memoryPages(() => "not_public");
  expect(await pages.check(ofA)).toMatchObject(Array(4).fill({ refusal: "host_not_public", warnings: [] }));
  expect(new Set(pages.requests)).toEqual(new Set([ofA[0]]));
});

test("second requests go before first ones, and first ones in the order of the list", async () => {
  const timers = holdTimers(MINUTE);
  const [first, second] = [heldAnswer(), heldAnswer()];
  const pages = memoryPages(
    (url, number) => {
      if (url === ofA[1]) return second.promise;
      return url === ofA[0] && number === 0 ? first.promise : [200];
    },
    { recheckMs: MINUTE },
  );
  const checking = pages.check(ofA, 10 * MINUTE);
  first.resolve([404]);
  await until(() => timers.waiting(MINUTE) === 1);
  timers.end(MINUTE);
  await settled();
  second.resolve([200]);
  expect(await checking).toMatchObject([FINE, FINE, FINE, FINE]);
  expect(pages.requests).toEqual([ofA[0], ofA[1], ofA[0], ofA[2], ofA[3]]);
});

test("not_looked_at: the deadline is now, and nothing is requested", async () => {
  const pages = memoryPages(() => [200]);
  expect(await pages.check(ofA, 0)).toEqual(Array(4).fill(NOT_LOOKED_AT));
  expect(pages.requests).toEqual([]);
});

test("at its deadline a check says what it knows; what comes later is neither reported nor stored, and ends no host", async () => {
  const [recheckMs, left] = [MINUTE, 10 * MINUTE];
  const timers = holdTimers(recheckMs, left);
  const held = heldAnswer();
  const pages = memoryPages((url) => (url === ofA[0] ? [404] : held.promise), { recheckMs });
  const checking = pages.check(ofA, left);
  await until(() => timers.waiting(recheckMs) === 1 && pages.requests.length === 2);
  timers.end(left);
  const reports = await checking;
  held.resolve([429, { "retry-after": "30" }]);
  await settled();
  expect(reports).toMatchObject([MISSING, NOT_LOOKED_AT, NOT_LOOKED_AT, NOT_LOOKED_AT]);
  expect(pages.facts.of(ofA[1]!)).toBeUndefined();
  expect(pages.restingHosts.get("a.example")).toBeUndefined();
  expect(pages.requests).toEqual([ofA[0], ofA[1]]);
  expect(timers.waiting(recheckMs)).toBe(0);
});

test.each([
  [MINUTE, MINUTE],
  [2 ** 40, LONGEST_TIMER],
])("a check with %d ms left waits for a timer of %d ms, which ends with it", async (left, ms) => {
  const timers = holdTimers(ms);
  const held = heldAnswer();
  const checking = memoryPages(() => held.promise).check([other!], left);
  await settled();
  expect(timers.waiting(ms)).toBe(1);
  held.resolve([200]);
  expect(await checking).toMatchObject([FINE]);
  expect(timers.waiting(ms)).toBe(0);
});
