import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import type { Engine } from "../../../../db/engine.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { booksOf, eventsFor, recordOf } from "../../../support/payments/card-events.ts";
import { cardWebhook } from "../../../support/payments/card-webhook.ts";
import { testService } from "../../../support/service/service.ts";

const { service, deliver, post, signed, newOrder } = await cardWebhook();
const { db, clock, errors, url } = service;

describe("requests that are no events", () => {
  test.each(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])("405 method_not_allowed: %s", async (method) => {
    const response = await fetch(`${url}/webhooks/stripe`, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    await response.arrayBuffer();
  });

  test.each(["", "/", "/stripe/", "/stripe/x", "/Stripe", "/paypal"])("404 not_found: /webhooks%s", async (path) => {
    const response = await fetch(`${url}/webhooks${path}`, { method: "POST", body: "{}" });
    expect([response.status, codeOf(await response.json())]).toEqual([404, "not_found"]);
  });

  test("200: a query changes nothing", async () => {
    const body = JSON.stringify(eventsFor(await newOrder()).paid());
    const headers = { "Stripe-Signature": signed(body) };
    const response = await fetch(`${url}/webhooks/stripe?from=here`, { method: "POST", body, headers });
    expect([response.status, await response.json()]).toEqual([200, { received: true }]);
  });

  test("404 not_found: the deployment takes no cards", async () => {
    const none = await testService({ config: { cards: "none" } });
    onTestFinished(() => none.close());
    const response = await fetch(`${none.url}/webhooks/stripe`, { method: "POST", body: "{}" });
    expect([response.status, codeOf(await response.json())]).toEqual([404, "not_found"]);
  });
});

test("429 rate_limited: the 61st forged event of an address in a minute; signed events are accepted still", async () => {
  clock.pass(MINUTE);
  const order = await newOrder();
  const statuses = await Promise.all(
    Array.from({ length: 61 }, () => post("{}", "t=1,v1=0").then((one) => one.status)),
  );
  expect(statuses.filter((status) => status === 400)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  const { json, headers } = await post("{}");
  expect(json.error.code).toBe("rate_limited");
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  await deliver(eventsFor(order).paid());
  expect(await booksOf(db, order)).toMatchObject({ status: "paid", balance: 150 });
  clock.pass(MINUTE);
  expect((await post("{}")).status).toBe(400);
});

describe("500 internal: an event that could not be stored; sent again, it is booked once", () => {
  const engine = db as { tx: Engine["tx"] };
  const real = engine.tx;
  afterEach(() => {
    engine.tx = real;
  });

  test.each<[string, Engine["tx"]]>([
    ["a database that cannot be written", () => Promise.reject(new Error("SQLITE_BUSY"))],
    [
      "a disk that is full when all is written",
      (work) =>
        real(async (tx) => {
          await work(tx);
          throw new Error("SQLITE_FULL");
        }),
    ],
  ])("%s", async (_, failing) => {
    const order = await newOrder();
    const event = eventsFor(order).paid();
    errors.length = 0;
    engine.tx = failing;
    const { status, json } = await post(JSON.stringify(event), signed(JSON.stringify(event)));
    expect([status, json.error.code, JSON.stringify(json).includes("SQLITE")]).toEqual([500, "internal", false]);
    engine.tx = real;
    // Beside what the service could not write of its own accord meanwhile.
    expect(errors.filter((one) => "path" in one)).toHaveLength(1);
    expect(await recordOf(db, event)).toBeUndefined();
    expect(await booksOf(db, order)).toMatchObject({ status: "pending", balance: 0, audit: [] });
    await deliver(event, event);
    expect(await booksOf(db, order)).toMatchObject({ status: "paid", ledger: ["purchase 150"], audit: [] });
  });
});

test("200: a test event changes nothing in a live service", async () => {
  const live = await cardWebhook({}, true);
  const order = await live.newOrder();
  const event = eventsFor(order).paid();
  await live.deliver(event);
  expect((await recordOf(live.service.db, event))!.problem).toMatch(/takes real money/);
  expect(await booksOf(live.service.db, order)).toMatchObject({ status: "pending", balance: 0, audit: [] });
  await live.deliver(eventsFor(order).paid({}, { livemode: true }));
  expect(await booksOf(live.service.db, order)).toMatchObject({ status: "paid", balance: 150, audit: [] });
});

function codeOf(answer: unknown): string {
  return (answer as { error: { code: string } }).error.code;
}
