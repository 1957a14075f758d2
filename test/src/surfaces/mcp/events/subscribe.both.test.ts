import { afterAll, describe, expect, test } from "vitest";
import { createKey, revokeKeyOf } from "../../../../../src/domain/credentials/keys.ts";
import { SUBSCRIPTION_TERMS } from "../../../../../src/domain/subscriptions/terms.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../../src/platform/clock.ts";
import type { Scope } from "../../../../../src/platform/principal.ts";
import { eventsInEachTest, low, settled } from "../../../../support/mcp/events.ts";
import { testService } from "../../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const { db, clock } = service;
const events = eventsInEachTest(service);

const keyOf = (scopes: readonly Scope[]) =>
  db.tx((tx) => createKey(tx, { accountId: events.account.id, name: "k", scopes, mode: "sandbox", now: clock.now() }));

describe("a receiver", () => {
  test("law: is asked first, and gets each event with its id, signed by the client's secret", async () => {
    const secret = events.receiver.secret();
    const { result } = await events.subscribe({ delivery: { secret } });
    expect(events.receiver.challenges).toHaveLength(1);
    expect(result).toMatchObject({ resultType: "complete", truncated: false });
    await events.record([settled(), low, settled()]);
    await events.deliver();
    const { json } = await service.request("GET", "/events?type=links.settled", { key: events.account.key });
    expect(events.receiver.ids().toSorted()).toEqual(json.events.map(({ id }: { id: string }) => id).toSorted());
    for (const { headers, json: body, signedBy } of events.receiver.events) {
      expect(headers["x-mcp-subscription-id"]).toBe(result.id);
      expect(headers["webhook-id"]).toBe(body.eventId);
      expect(signedBy).toEqual([secret]);
    }
    expect(events.receiver.challenges[0]).toMatchObject({
      signedBy: [secret],
      headers: { "webhook-id": expect.stringMatching(/^msg_verification_/), "x-mcp-subscription-id": result.id },
    });
  });

  test.each([
    ["does not echo", "challenge_failed", 200, "thanks"],
    ["echoes another challenge", "challenge_failed", 200, JSON.stringify({ challenge: "x".repeat(43) })],
    ["echoes no text", "challenge_failed", 200, JSON.stringify({ challenge: 7 })],
    ["redirects", "challenge_failed", 307, ""],
    ["knows nothing of it", "http_4xx", 404, ""],
    ["fails", "http_5xx", 503, ""],
  ])("-32015: a receiver that %s is %s, and gets no event", async (_, reason, status, body) => {
    events.receiver.answer({
      challenge: (res) => res.writeHead(status, { Location: events.receiver.url }).end(body),
    });
    const { error } = await events.subscribe();
    expect(error).toMatchObject({ code: -32_015, data: { reason } });
    await events.record([settled()]);
    await events.deliver();
    expect(events.receiver.events).toEqual([]);
    expect((await events.rows()).filter(({ accountId }) => accountId === events.account.id)).toEqual([]);
  });

  test("-32015: an echo with a status of an error is none", async () => {
    events.receiver.answer({
      challenge: (res, { json }) => res.writeHead(500).end(JSON.stringify({ challenge: json.challenge })),
    });
    expect((await events.subscribe()).error.data).toEqual({ reason: "http_5xx" });
  });

  test("-32015: nobody is there", async () => {
    const { error } = await events.subscribe({ delivery: { url: "http://127.0.0.1:1/" } });
    expect(error).toMatchObject({ code: -32_015, data: { reason: "connection_refused" } });
  });

  test("-32602: an address that is not public, or not https", async () => {
    for (const url of ["https://10.0.0.1/", "https://[fd00::1]/", "http://example.com/", "ftp://example.com/", "x"])
      expect((await events.subscribe({ delivery: { url } })).error, url).toMatchObject({ code: -32_602 });
    expect(events.receiver.challenges).toEqual([]);
  });

  test("law: it is asked once by each maker, whatever it is told of", async () => {
    await events.subscribe();
    await events.subscribe();
    await events.subscribe({ name: "credits.low" });
    await events.subscribe({ arguments: { project_id: "prj_0123456789abc" } });
    expect(events.receiver.challenges).toHaveLength(1);
    await events.subscribe({}, await keyOf(["read"]));
    expect(events.receiver.challenges).toHaveLength(2);
    await events.unsubscribe();
    expect((await events.subscribe()).result.id).toMatch(/^sub_[0-9a-f]{32}$/);
    expect(events.receiver.challenges).toHaveLength(2);
  });

  test("one that is gone gets nothing until its client asks again, and then all that it has missed", async () => {
    await events.subscribe();
    events.receiver.answer({ event: (res) => res.writeHead(410).end() });
    await events.record([settled()]);
    await events.deliver();
    await events.record([settled()]);
    clock.pass(HOUR);
    await events.deliver();
    expect(events.receiver.events).toHaveLength(1);
    events.receiver.answer({ event: (res) => res.writeHead(200).end() });
    const { result } = await events.subscribe();
    expect(result.deliveryStatus).toEqual({
      active: false,
      lastDeliveryAt: null,
      lastError: "http_4xx",
      failedSince: expect.any(String),
    });
    await events.deliver();
    expect(events.receiver.events).toHaveLength(2);
    expect((await events.subscribe()).result.deliveryStatus).toMatchObject({ active: true, lastError: null });
  });

  test("an event that is too large for it is not sent again; another failure is, with the same id", async () => {
    await events.subscribe();
    const statuses = [413, 500];
    events.receiver.answer({ event: (res) => res.writeHead(statuses.shift() ?? 200).end() });
    await events.record([settled()]);
    await events.deliver();
    await events.record([settled()]);
    await events.deliver();
    clock.pass(6 * SECOND);
    await events.deliver();
    const [tooLarge, failed, again] = events.receiver.ids();
    expect(events.receiver.events).toHaveLength(3);
    expect(again).toBe(failed);
    expect(failed).not.toBe(tooLarge);
  });

  test("law: the cursor of an event is never past one that has not arrived", async () => {
    const { result } = await events.subscribe();
    const statuses = [500];
    events.receiver.answer({ event: (res) => res.writeHead(statuses.shift() ?? 200).end() });
    await events.record([settled()]);
    await events.deliver();
    await events.record([settled()]);
    await events.deliver();
    const [failed, arrived] = events.receiver.events;
    expect(arrived!.json.cursor).toBe(result.cursor);
    const polled = await events.call("poll", { name: "links.settled", cursor: arrived!.json.cursor });
    expect(polled.result.events.map(({ eventId }: { eventId: string }) => eventId)).toContain(failed!.json.eventId);
    clock.pass(6 * SECOND);
    await events.deliver();
    expect((await events.subscribe()).result.cursor).toBe(polled.result.cursor);
  });
});

describe("a subscription", () => {
  test.each([
    ["none", undefined, DAY],
    ["null", null, DAY],
    ["zero", 0, MINUTE],
    ["a negative one", -5, MINUTE],
    ["an hour", HOUR, HOUR],
    ["a year", 365 * DAY, DAY],
    ["more than any whole number", 1e300, DAY],
  ])("is granted with %s as ttl, and never refused for it", async (_, ttlMs, granted) => {
    const { result } = await events.subscribe(ttlMs === undefined ? {} : { ttlMs });
    expect(Date.parse(result.refreshBefore) - clock.now()).toBe(granted);
  });

  test.each([
    ["ttlMs", { ttlMs: "1h" }],
    ["ttlMs", { ttlMs: 1.5 }],
    ["name", { name: 7 }],
    ["arguments", { arguments: [] }],
    ["delivery", { delivery: null }],
    ["cursor", { cursor: 7 }],
    ["maxAgeMs", { maxAgeMs: "1" }],
  ])("-32602: %s is not in its form", async (name, params) => {
    const { error } = await events.call("subscribe", {
      name: "links.settled",
      delivery: { mode: "webhook", url: events.receiver.url, secret: events.receiver.secret() },
      ...params,
    });
    expect(error).toMatchObject({ code: -32_602, message: expect.stringContaining(`\`${name}\``) });
  });

  test.each([
    ["too short", `whsec_${Buffer.alloc(23).toString("base64")}`],
    ["too long", `whsec_${Buffer.alloc(65).toString("base64")}`],
    ["without its beginning", Buffer.alloc(32).toString("base64")],
    ["no base64", `whsec_${"*".repeat(44)}`],
    ["padded in the middle", `whsec_${"A".repeat(20)}=${"A".repeat(20)}`],
    ["empty", ""],
  ])("-32602: a secret that is %s", async (_, secret) => {
    const { error } = await events.subscribe({ delivery: { secret } });
    expect(error).toMatchObject({ code: -32_602, message: expect.stringContaining("delivery.secret") });
    expect(error.message).not.toContain("AAAA");
  });

  test("law: the same key is the same subscription, and another secret signs with the one before for five minutes", async () => {
    const [first, second] = [events.receiver.secret(), events.receiver.secret()];
    const { result: made } = await events.subscribe({ delivery: { secret: first } });
    const { result: renewed } = await events.subscribe({ delivery: { secret: second } });
    expect(renewed.id).toBe(made.id);
    await events.record([settled()]);
    await events.deliver();
    clock.pass(5 * MINUTE);
    await events.record([settled()]);
    await events.deliver();
    expect(events.receiver.events.map(({ signedBy }) => signedBy)).toEqual([[first, second], [second]]);
  });

  test("law: with other arguments it is another one, which hears of these alone", async () => {
    const { result: all } = await events.subscribe();
    const { result: narrow } = await events.subscribe({ arguments: { project_id: "prj_0000000000001" } });
    expect(narrow.id).not.toBe(all.id);
    await events.record([settled("prj_0000000000001"), settled("prj_0000000000002")]);
    await events.deliver();
    const heard = (id: string) =>
      events.receiver.events
        .filter(({ headers }) => headers["x-mcp-subscription-id"] === id)
        .map(({ json }) => json.data.project_id);
    expect(heard(all.id).toSorted()).toEqual(["prj_0000000000001", "prj_0000000000002"]);
    expect(heard(narrow.id)).toEqual(["prj_0000000000001"]);
  });

  test.each([
    ["unknown", { projekt_id: "prj_0123456789abc" }],
    ["null", { project_id: null }],
    ["a number", { project_id: 7 }],
    ["of another type of event", { watch_id: "wat_0123456789abcdefghjk" }],
  ])("-32602: an argument that is %s never widens it", async (_, narrowing) => {
    expect((await events.subscribe({ arguments: narrowing })).error).toMatchObject({ code: -32_602 });
  });

  test("-32011: an event that there is none of, or that only people are told of", async () => {
    for (const name of ["links.sett1ed", "key.created", "order.paid", "webhook.ping", "constructor"])
      expect((await events.subscribe({ name })).error, name).toMatchObject({ code: -32_011, data: { kind: "event" } });
  });

  test.each(["poll", "push"])("-32014: the mode %s, with fields of its own", async (mode) => {
    const { error } = await events.call("subscribe", { name: "links.settled", delivery: { mode } });
    expect(error).toMatchObject({ code: -32_014, data: { feature: "deliveryMode", value: mode } });
  });

  test("-32014: a mode that events/subscribe has not", async () => {
    expect((await events.subscribe({ delivery: { mode: "poll" } })).error).toMatchObject({
      code: -32_014,
      data: { feature: "deliveryMode", value: "poll" },
    });
  });

  test("-32602: a cursor of another subscription, of another account, or none of ours", async () => {
    const { result: other } = await events.call("poll", { name: "credits.low" });
    const stranger = await service.account();
    const { result: foreign } = await events.call("poll", { name: "links.settled" }, stranger.key);
    for (const cursor of [other.cursor, foreign.cursor, "cur_1", "", "cur_99999999999999999999_0000000000000000"])
      expect((await events.subscribe({ cursor })).error, cursor).toMatchObject({ code: -32_602 });
    expect(events.receiver.challenges).toEqual([]);
  });

  test("one that begins with a cursor gets what its client has missed, each event once", async () => {
    const { result: polled } = await events.call("poll", { name: "links.settled" });
    await events.record([settled(), low, settled()]);
    const { result } = await events.subscribe({ cursor: polled.cursor });
    expect(result).toMatchObject({ cursor: polled.cursor, truncated: false });
    await events.record([settled()]);
    clock.pass(SECOND);
    await events.deliver();
    expect(events.receiver.ids()).toHaveLength(3);
    expect(new Set(events.receiver.ids()).size).toBe(3);
  });

  test("events of any age are wanted where the age is beyond all numbers", async () => {
    const { result: polled } = await events.call("poll", { name: "links.settled" });
    await events.record([settled()]);
    const { result } = await events.subscribe({ cursor: polled.cursor, maxAgeMs: 1e300 });
    expect(result.truncated).toBe(false);
    await events.deliver();
    expect(events.receiver.events).toHaveLength(1);
  });

  test("says that events are left out where they are deleted, or older than its client wants", async () => {
    const { result: polled } = await events.call("poll", { name: "links.settled" });
    await events.record([settled()]);
    clock.pass(HOUR);
    await events.record([settled()]);
    const { result } = await events.subscribe({ cursor: polled.cursor, maxAgeMs: MINUTE });
    expect(result.truncated).toBe(true);
    await events.deliver();
    expect(events.receiver.events).toHaveLength(1);
  });

  test("ends unless it is asked for again; what came meanwhile comes with the cursor", async () => {
    const { result } = await events.subscribe();
    clock.pass(DAY - 1);
    await events.record([settled()]);
    await events.deliver();
    clock.pass(1);
    await events.record([settled()]);
    await events.deliver();
    expect(events.receiver.events).toHaveLength(1);
    await events.subscribe({ cursor: events.receiver.events[0]!.json.cursor });
    expect(events.receiver.challenges).toHaveLength(2);
    await events.deliver();
    expect(events.receiver.events).toHaveLength(2);
    expect(events.receiver.events[1]!.headers["x-mcp-subscription-id"]).toBe(result.id);
  });

  test("events/unsubscribe ends it with what waits for it; another credential cannot", async () => {
    await events.subscribe();
    await events.record([settled()]);
    expect((await events.unsubscribe({}, await keyOf(["read"]))).error).toMatchObject({
      code: -32_011,
      data: { kind: "subscription" },
    });
    expect((await events.unsubscribe()).result).toMatchObject({ resultType: "complete" });
    await events.deliver();
    expect(events.receiver.events).toEqual([]);
    expect((await events.unsubscribe()).error.code).toBe(-32_011);
  });

  test("401 without a credential, 403 without the scope read", async () => {
    for (const method of ["subscribe", "unsubscribe", "poll", "stream"])
      expect((await events.call(method, {}, "")).status, method).toBe(401);
    expect((await events.subscribe({}, await keyOf(["index"]))).status).toBe(403);
    expect((await events.call("list", {}, "")).status).toBe(200);
  });

  test("law: nothing is sent after its credential was revoked, not even what waited", async () => {
    await events.subscribe();
    await events.record([settled()]);
    const [row] = (await events.rows()).filter(({ accountId }) => accountId === events.account.id);
    const revoked = { keyId: row!.maker, now: clock.now() };
    await db.tx((tx) => revokeKeyOf(tx, events.account.id, revoked));
    expect((await events.rows()).filter(({ accountId }) => accountId === events.account.id)).toEqual([]);
    await events.deliver();
    expect(events.receiver.events).toEqual([]);
  });

  test("law: one whose credential has ended by itself ends with the next event", async () => {
    const end = { name: "k", scopes: ["read"], mode: "sandbox", now: clock.now() } as const;
    const expiresAt = clock.now() + HOUR;
    const key = await db.tx((tx) => createKey(tx, { accountId: events.account.id, ...end, expiresAt }));
    await events.subscribe({}, key);
    clock.pass(HOUR);
    await events.record([settled()]);
    await events.deliver();
    expect(events.receiver.events).toEqual([]);
    expect((await events.rows()).filter(({ accountId }) => accountId === events.account.id)).toEqual([]);
  });

  test(`-32013: a credential has ${SUBSCRIPTION_TERMS.perCredential}; one of them can be renewed, and another credential has its own`, async () => {
    await events.subscribe();
    const [row] = (await events.rows()).filter(({ accountId }) => accountId === events.account.id);
    const others = Array.from({ length: SUBSCRIPTION_TERMS.perCredential - 1 }, (_, n) => ({
      ...row!,
      id: `sub_${n}`,
    }));
    await db.tx((tx) => tx.q.insert(tx.t.eventSubscriptions).values(others));
    const { error } = await events.subscribe({ name: "credits.low" });
    expect(error).toMatchObject({ code: -32_013, data: { limit: "subscriptions", max: 100 } });
    expect((await events.subscribe({ delivery: { url: `${events.receiver.url}/2` } })).error.code).toBe(-32_013);
    expect(events.receiver.challenges).toHaveLength(1);
    expect((await events.subscribe()).result.id).toBe(row!.id);
    expect((await events.subscribe({ name: "credits.low" }, await keyOf(["read"]))).result.id).toMatch(/^sub_/);
    await db.tx((tx) => tx.q.delete(tx.t.eventSubscriptions));
  });

  test("the activity says who made and ended it", async () => {
    await events.subscribe();
    await events.subscribe({ name: "credits.low" });
    await events.unsubscribe();
    const { json } = await service.request("GET", "/activity", { key: events.account.key });
    const kinds = json.activity
      .map(({ kind }: { kind: string }) => kind)
      .filter((kind: string) => /^subscription_/.test(kind));
    expect(kinds.toSorted()).toEqual(["subscription_ended", "subscription_made", "subscription_made"]);
  });
});
