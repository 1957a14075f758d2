import { and, eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { eventId } from "../../src/domain/events/events.ts";
import { sampleOf } from "../support/checks/fuzz-runs.ts";
import { endLeases } from "../support/kills/killable-service.ts";
import { testKillable } from "../support/kills/test-killable.ts";
import { eventReceiver } from "../support/mcp/event-receiver.ts";
import { message, poster, toolCall } from "../support/mcp/post.ts";
import { eventually } from "../support/service/eventually.ts";

/** Each at another moment: after so many projects were made, and so many events have come. */
const KILLS = sampleOf(
  [
    { made: 1, events: 0 },
    { made: 3, events: 0 },
    { made: 0, events: 1 },
    { made: 0, events: 3 },
  ],
  2,
);

/** Projects that each process is given. */
const PROJECTS = 3;

const receiver = await eventReceiver();
afterAll(() => receiver.close());
// Fourteen days pass in a second.
const settings = { TIME_SCALE: "1000000", SECRETS_KEY: Buffer.alloc(32, 5).toString("base64") };
const { service, db } = await testKillable(settings);
const secret = receiver.secret();

test(`law: over ${KILLS.length} kills each event of a subscription arrives at least once, with the same id, signed`, {
  timeout: 200_000,
}, async () => {
  const key = await service.account("subscriptions");
  let made = 0;
  let isSubscribed = false;
  for (const [kill, target] of KILLS.entries()) {
    const before = { made, events: receiver.events.length };
    const begin = async (address: string) => {
      const post = poster(address);
      const delivery = { mode: "webhook", url: receiver.url, secret };
      if (!isSubscribed) {
        const { json } = await post(message("events/subscribe", { name: "project.completed", delivery }), { key });
        isSubscribed = json.result.id !== undefined;
      }
      for (let n = 0; n < PROJECTS; n++) {
        await post(toolCall("submit_urls", { urls: [`https://example.com/${kill}.${n}`] }), { key });
        made += 1;
      }
    };
    const hasCome = await service.live(({ address }) => ({
      work: Promise.allSettled([begin(address)]),
      isReached: () => made >= before.made + target.made && receiver.events.length >= before.events + target.events,
    }));
    expect(hasCome).toBe(true);
  }
  await endLeases(db);
  const { stop } = await service.start();
  const { events, projects } = db.t;
  const completed = () => db.q.select().from(events).where(eq(events.type, "project.completed"));
  const open = () =>
    db.q
      .select()
      .from(projects)
      .where(and(eq(projects.status, "active")));
  await eventually(async () => expect(await open()).toEqual([]));
  await eventually(async () => {
    const ids = (await completed()).map(({ accountId, no }) => eventId(accountId, no));
    expect([...new Set(receiver.ids())].toSorted()).toEqual(ids.toSorted());
  });
  await stop();
  expect(new Set(receiver.ids()).size).toBeGreaterThanOrEqual(KILLS.length);
  for (const { headers, json, signedBy } of receiver.events)
    expect([headers["webhook-id"], signedBy]).toEqual([json.eventId, [secret]]);
});
