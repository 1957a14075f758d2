import { afterAll, expect, test } from "vitest";
import { purgeEvents } from "../../../../../src/domain/events/events.ts";
import { DAY, HOUR, MINUTE } from "../../../../../src/platform/clock.ts";
import { eventsInEachTest, low, settled } from "../../../../support/mcp/events.ts";
import { testService } from "../../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const { db, clock } = service;
const events = eventsInEachTest(service);

/** @returns the numbers of the events that came, and the rest of the answer */
async function poll(params: object = {}) {
  const { result, error } = await events.call("poll", { name: "links.settled", ...params });
  const numbers = result?.events.map(({ eventId }: { eventId: string }) => Number(eventId.split("_")[2]));
  return { ...result, error, numbers };
}

test("law: from each cursor on, each event comes once and in order, whatever else happens", async () => {
  let { cursor, numbers } = await poll();
  expect(numbers).toEqual([]);
  const seen: number[] = [];
  for (const batch of [[settled()], [low], [], [settled(), low, settled()]]) {
    await events.record(batch);
    const answer = await poll({ cursor });
    expect(answer).toMatchObject({ truncated: false, hasMore: false, nextPollMs: 15_000, resultType: "complete" });
    seen.push(...answer.numbers);
    cursor = answer.cursor;
  }
  expect(seen).toHaveLength(3);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test("maxEvents cuts the answer, and the next one goes on there", async () => {
  const { cursor } = await poll();
  await events.record([settled(), settled(), settled()]);
  const first = await poll({ cursor, maxEvents: 2 });
  expect(first).toMatchObject({ hasMore: true, truncated: false });
  const rest = await poll({ cursor: first.cursor, maxEvents: 2 });
  expect(rest).toMatchObject({ hasMore: false });
  expect([first.numbers.length, rest.numbers.length]).toEqual([2, 1]);
});

test("arguments find an event behind hundreds of others", async () => {
  const narrowing = { arguments: { project_id: "prj_0000000000001" } };
  let { cursor } = await poll(narrowing);
  await events.record([...Array.from({ length: 450 }, () => settled()), settled("prj_0000000000001")]);
  const found: number[] = [];
  for (let [asked, hasMore] = [0, true]; hasMore && asked < 10; asked++) {
    const answer = await poll({ ...narrowing, cursor });
    found.push(...answer.numbers);
    ({ cursor, hasMore } = answer);
  }
  expect(found).toHaveLength(1);
});

test("a watch's events are found by the watch", async () => {
  const watch = { watch_id: "wat_0123456789abcdefghjk", sitemap_url: "https://example.com/sitemap.xml" };
  const about = { name: "watch.failing", arguments: { watch_id: watch.watch_id } };
  const { cursor } = await poll(about);
  const failing = (watch_id: string) =>
    ({ type: "watch.failing", data: { ...watch, watch_id, failures: 3, reason: "http_503" } }) as const;
  await events.record([failing(watch.watch_id), failing("wat_other")]);
  const answer = await poll({ ...about, cursor });
  expect(answer.events.map(({ data }: { data: object }) => data)).toEqual([failing(watch.watch_id).data]);
});

test("maxAgeMs leaves out what is older, and says so", async () => {
  const { cursor } = await poll();
  await events.record([settled()]);
  clock.pass(HOUR);
  await events.record([settled()]);
  const answer = await poll({ cursor, maxAgeMs: MINUTE });
  expect(answer).toMatchObject({ truncated: true, hasMore: false });
  expect(answer.numbers).toHaveLength(1);
  expect((await poll({ cursor, maxAgeMs: 2 * HOUR })).truncated).toBe(false);
});

test("a cursor before what is kept, or after a backup was restored, is no error: events are left out", async () => {
  const { cursor } = await poll();
  await events.record([settled()]);
  clock.pass(31 * DAY);
  await purgeEvents(db, clock.now());
  await events.record([settled()]);
  const late = await poll({ cursor });
  expect(late).toMatchObject({ truncated: true });
  expect(late.numbers).toHaveLength(1);
  const ahead = late.cursor.replace(/^cur_\d+/, "cur_999999");
  expect(await poll({ cursor: ahead })).toMatchObject({ truncated: true, numbers: [], cursor: late.cursor });
});

test("law: nobody reads events of another account", async () => {
  const { cursor } = await poll();
  const stranger = await service.account();
  const { result } = await events.call("poll", { name: "links.settled" }, stranger.key);
  await events.record([settled()]);
  const theirs = await events.call("poll", { name: "links.settled", cursor: result.cursor }, stranger.key);
  expect(theirs.result.events).toEqual([]);
  expect((await events.call("poll", { name: "links.settled", cursor }, stranger.key)).error.code).toBe(-32_602);
});

test("-32602, -32011: what a poll may not ask for", async () => {
  const { cursor } = await poll({ name: "credits.low" });
  expect((await poll({ cursor })).error.code).toBe(-32_602);
  expect((await poll({ maxEvents: 0 })).error.code).toBe(-32_602);
  expect((await poll({ arguments: { site_id: "site_1" } })).error.code).toBe(-32_602);
  expect((await poll({ name: "member.joined" })).error).toMatchObject({ code: -32_011, data: { kind: "event" } });
});
