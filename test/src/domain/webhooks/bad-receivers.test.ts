import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { post } from "../../../../src/domain/ledger/ledger.ts";
import { cancelLinks } from "../../../../src/domain/projects/cancel.ts";
import { repeatDeliveries } from "../../../../src/domain/webhooks/queue.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../src/platform/clock.ts";
import type { HttpClient } from "../../../../src/platform/http-client/http-client.ts";
import { pages } from "../../../support/database/store.ts";
import { liveHttp, low, sendingInEachTest } from "../../../support/events/sending.ts";
import { certificate } from "../../../support/network/certificate.ts";
import {
  type Answer,
  drips,
  floods,
  nameServer,
  raw,
  says,
  startRawServer,
} from "../../../support/network/raw-server.ts";

const sending = sendingInEachTest();
const { store, now, relay, record, senderOf, make, deliver, deliveries, webhookRow } = sending;

let answer: Answer = says("204 No Content", {});
const server = await startRawServer("127.0.0.1", () => answer);

/** The client of the sender, with less patience. */
const hasty = (timeMs = 300): Pick<HttpClient, "postPublic"> => ({
  postPublic: (url, options) => sending.http.postPublic(url, { ...options, timeMs }),
});

/** Sends one event to the raw server. @returns its delivery after one attempt */
async function attemptAt(url: string, http: Pick<HttpClient, "postPublic"> = hasty()) {
  const { row } = await make({ url });
  await record(low(99));
  await relay();
  await senderOf(http).drain();
  const [delivery] = await deliveries(row.id);
  return delivery!;
}

const PAGE = "<!doctype html><title>Welcome</title>Nothing here takes webhooks.";
const OK = "HTTP/1.1 200 OK\r\n";

test.each<[title: string, answer: Answer, reason: string | null, status: number | null]>([
  ["slow: headers that come too late", () => undefined, "timeout", null],
  ["slow: headers that come byte by byte", drips(OK, "X", 20), "timeout", null],
  ["redirecting: to itself", says("307 Temporary Redirect", { Location: "/hook" }), "redirect", 307],
  ["redirecting: into a private network", says("302 Found", { Location: "http://169.254.169.254/" }), "redirect", 302],
  ["endless: headers that never end", floods(OK, `X: ${"x".repeat(1_000)}\r\n`), "too_large", null],
  ["endless: interim answers that never end", floods("", "HTTP/1.1 103 Early Hints\r\n\r\n"), "timeout", null],
  ["endless: a body that never ends, fast", floods(`${OK}\r\n`, "x".repeat(10_000)), null, 200],
  ["endless: a body that never ends, byte by byte", drips(`${OK}\r\n`, "x", 20), null, 200],
  ["endless: chunks that never end", floods(`${OK}Transfer-Encoding: chunked\r\n\r\n`, "1\r\nx\r\n"), null, 200],
  ["lying: fewer bytes than its Content-Length says", raw(`${OK}Content-Length: 99\r\n\r\nx`), null, 200],
  ["lying: more bytes than its Content-Length says", raw(`${OK}Content-Length: 1\r\n\r\n${PAGE}`), null, 200],
  ["lying: two lengths", raw(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`), "broken", null],
  ["lying: gzip that is none", says("200 OK", { "Content-Encoding": "gzip" }, "no gzip"), null, 200],
  ["lying: 200 with a page", says("200 OK", { "Content-Type": "text/html" }, PAGE), null, 200],
  ["lying: garbage in place of HTTP", raw("\0\0\0\0 220 smtp ready\r\n"), "broken", null],
  [
    "lying: another protocol is promised",
    raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
    "unreachable",
    null,
  ],
  ["lying: closed without an answer", (socket) => void socket.destroy(), "unreachable", null],
])("%s", async (title, bad, reason, status) => {
  answer = bad;
  // What is expected before the time is over has all the time of an attempt, on whatever else the machine does.
  const isRead = /byte by byte|chunks that never end/.test(title);
  const http = reason === "timeout" ? hasty() : isRead ? hasty(1_500) : sending.http;
  const delivery = await attemptAt(`http://127.0.0.1:${server.port}/hook`, http);
  expect(delivery.attempts).toMatchObject([{ status, reason }]);
  expect(delivery.status).toBe(reason === null ? "succeeded" : "pending");
  // What it said is kept nowhere.
  expect(JSON.stringify(delivery)).not.toMatch(/Welcome|smtp|xxx/);
});

test.each<[header: string, wait: number]>([
  ["-5", 0],
  ["soon", 0],
  ["1e9", 0],
  ["0x7fffffff", 0],
  ["99999999999999999999999999999999", DAY],
  ["Fri, 31 Dec 9999 23:59:59 GMT", DAY],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ["3600", HOUR],
])("lying: Retry-After of %s puts the next attempt off by a day at most", async (header, wait) => {
  answer = says("429 Too Many Requests", { "Retry-After": header });
  const { nextAt } = await attemptAt(`http://127.0.0.1:${server.port}/hook`);
  expect(nextAt! - now()).toBeGreaterThanOrEqual(Math.max(wait, 5 * SECOND));
  expect(nextAt! - now()).toBeLessThanOrEqual(Math.max(wait, 5.5 * SECOND));
});

test("TLS that does not verify: nothing is sent", async () => {
  const { key, cert } = certificate(["hooks.example.com"]);
  let requests = 0;
  const secure = createServer({ key, cert }, (_, res) => {
    requests += 1;
    res.end();
  });
  await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
  afterAll(() => secure.close());
  const { port } = secure.address() as AddressInfo;
  const delivery = await attemptAt(`https://localhost:${port}/hook`, hasty(5_000));
  expect(delivery.attempts).toMatchObject([{ status: null, reason: "unreachable" }]);
  expect(requests).toBe(0);
});

test.each([
  ["private", "10.0.0.1"],
  ["this machine", "127.0.0.1"],
  ["the metadata of a cloud", "169.254.169.254"],
  ["private, in IPv6", "fd00::1"],
  ["private, as IPv6", "::ffff:10.0.0.1"],
])("DNS that changes between saving and sending: to %s, no attempt is made", async (_, address) => {
  const names = nameServer({ "hooks.example.com": [["93.184.215.14"], [address]] });
  const live = liveHttp({ resolve: names.resolve });
  await live.checkPublic("https://hooks.example.com/x");
  const delivery = await attemptAt("https://hooks.example.com/x", live);
  expect(delivery.attempts).toMatchObject([{ status: null, reason: "not_public" }]);
  await live.close();
});

test("a receiver that is down for four days and comes back gets all of it with redeliver_event, with the same ids", async () => {
  sending.receiver.answer({ status: 503 });
  const { row } = await make();
  const since = now();
  await deliver(low(99), low(98), low(97));
  const isOpen = async () => (await deliveries(row.id)).some(({ status }) => status === "pending");
  for (let hour = 0; hour < 96; hour += 1) {
    store.clock.pass(HOUR);
    await deliver();
  }
  expect(await isOpen()).toBe(false);
  expect(await webhookRow(row.id)).toMatchObject({ status: "active" });
  const ids = new Set(sending.receiver.received.map(({ headers }) => headers["webhook-id"]));
  expect([ids.size, sending.receiver.received.length]).toEqual([3, 30]);
  sending.receiver.received.length = 0;
  sending.receiver.answer({ status: 204 });
  await store.db.tx((tx) => repeatDeliveries(tx, row, { since }, now()));
  store.clock.pass(SECOND);
  await deliver(low(96));
  const arrived = sending.receiver.received.map(({ headers }) => headers["webhook-id"]);
  for (const id of ids) expect(arrived.filter((one) => one === id)).toHaveLength(1);
  expect((await deliveries(row.id)).every(({ status }) => status === "succeeded")).toBe(true);
  expect(await webhookRow(row.id)).toMatchObject({ failingSince: null });
});

test("a clock that jumps forwards: what waits is sent at once, signed with the new time", async () => {
  const { row } = await make();
  sending.receiver.answer({ status: 500 });
  await deliver(low(99));
  sending.receiver.answer({ status: 204 });
  store.clock.pass(40 * DAY);
  await deliver(low(98));
  expect(sending.receiver.received).toHaveLength(3);
  const { headers } = sending.receiver.received.at(-1)!;
  expect(Number(headers["webhook-timestamp"]) * SECOND).toBe(now());
  expect(await webhookRow(row.id)).toMatchObject({ status: "active" });
});

test("a clock that jumps backwards: a webhook gets all events after it was made, in the order of writing", async () => {
  const { row } = await make();
  await deliver(low(99));
  store.clock.pass(-2 * DAY);
  await deliver(low(98), low(97));
  expect(sending.receiver.received.map(({ body }) => JSON.parse(body).data.balance).sort()).toEqual([97, 98, 99]);
  const events = await store.db.q.select().from(store.db.t.events);
  const times = events.sort((a, b) => a.no - b.no).map(({ at }) => at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect((await deliveries(row.id)).every(({ status }) => status === "succeeded")).toBe(true);
  // An attempt that failed before the jump comes when its time has come again.
  sending.receiver.answer({ status: 500 });
  await deliver(low(96));
  store.clock.pass(-HOUR);
  sending.receiver.answer({ status: 204 });
  await deliver();
  store.clock.pass(HOUR + MINUTE);
  await deliver();
  expect((await deliveries(row.id)).every(({ status }) => status === "succeeded")).toBe(true);
});

test("10,000 links settled at once are one event under 20 KB, and one message", async () => {
  await store.db.tx((tx) => {
    const paid = {
      accountId: sending.account,
      kind: "adjustment",
      credits: 10_000,
      source: "x",
      description: "x",
    } as const;
    return post(tx, { ...paid, now: now() });
  });
  const project = await store.index(sending.account, pages(10_000));
  const { row } = await make({ types: ["links.settled", "project.completed"] });
  await store.db.tx((tx) => cancelLinks(tx, project, null, { service: store.clock.service(), now: now() }));
  await deliver();
  const bodies = sending.receiver.received.map(({ body }) => body);
  const settled = bodies.find((body) => JSON.parse(body).type === "links.settled")!;
  expect(bodies.map((body) => JSON.parse(body).type).sort()).toEqual(["links.settled", "project.completed"]);
  expect(Buffer.byteLength(settled)).toBeLessThan(20_000);
  const { counts, links, credits_returned } = JSON.parse(settled).data;
  expect([counts.failed, links.failed.length, credits_returned]).toEqual([10_000, 100, 10_000]);
  expect(await deliveries(row.id)).toHaveLength(2);
  expect(await store.problems()).toEqual([]);
});
