import { beforeEach, expect, test } from "vitest";
import { cancelLinks } from "../../../../src/domain/projects/cancel.ts";
import { fingerprintOf } from "../../../../src/domain/projects/fingerprint.ts";
import type { ProjectRow } from "../../../../src/domain/projects/read.ts";
import {
  endSession,
  hasEnded,
  type McpSession,
  subscribe,
  subscriptionsOf,
  unsubscribe,
} from "../../../../src/domain/projects/resource-subscriptions.ts";
import { timesOf } from "../../../../src/platform/clock.ts";
import { SIZES } from "../../../../src/platform/sizes.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let project: ProjectRow;
let mine: McpSession;
/** Another session of the same client, and one that another client has given the same id. */
let second: McpSession;
let others: McpSession;
beforeEach(async () => {
  const [accountId, stranger] = [await store.account(10), await store.account(10)];
  project = await store.index(accountId, pages(2));
  mine = { id: "session-1", accountId, maker: "key_1" };
  second = { ...mine, id: "session-2" };
  others = { id: "session-1", accountId: stranger, maker: "key_2" };
});

const to = (session: McpSession, isLinks: boolean) =>
  store.db.tx((tx) => {
    const resource = { projectNo: project.no, isLinks, fingerprint: fingerprintOf(project) };
    return subscribe(tx, session, resource, store.clock.now());
  });

/** The subscriptions of sessions, as `SESSION MAKER RESOURCE`. */
const open = async (...sessions: McpSession[]) =>
  (await subscriptionsOf(store.db, sessions))
    .map(({ session, maker, isLinks }) => `${session} ${maker} ${isLinks ? "links" : "project"}`)
    .sort();

test("a session's subscriptions end one by one or with it, and those of others stay, even under the same id", async () => {
  for (const session of [mine, second, others]) {
    await to(session, false);
    await to(session, true);
  }
  await to(mine, true);
  expect(await open(mine)).toEqual([
    "session-1 key_1 links",
    "session-1 key_1 project",
    "session-1 key_2 links",
    "session-1 key_2 project",
  ]);
  await store.db.tx((tx) => unsubscribe(tx, mine, { projectNo: project.no, isLinks: true }));
  expect(await open(mine, second)).toEqual([
    "session-1 key_1 project",
    "session-1 key_2 links",
    "session-1 key_2 project",
    "session-2 key_1 links",
    "session-2 key_1 project",
  ]);
  expect(await hasEnded(store.db, mine)).toBe(false);
  // A client may end it twice.
  for (let n = 0; n < 2; n++) await store.db.tx((tx) => endSession(tx, mine, store.clock.now()));
  const ended = [mine, second, others].map((session) => hasEnded(store.db, session));
  expect(await Promise.all(ended)).toEqual([true, false, false]);
  expect(await open(mine, second)).toEqual([
    "session-1 key_2 links",
    "session-1 key_2 project",
    "session-2 key_1 links",
    "session-2 key_1 project",
  ]);
});

test("a subscription knows the fingerprint that its project had then, and the one that it has now", async () => {
  await to(mine, false);
  const then = fingerprintOf(project);
  await store.db.tx((tx) => cancelLinks(tx, project, [0], timesOf(store.clock)));
  const fingerprint = fingerprintOf(await store.reload(project));
  expect(fingerprint).not.toBe(then);
  const [subscription] = await subscriptionsOf(store.db, [mine]);
  expect(subscription).toMatchObject({ projectId: project.id, fingerprintThen: then, fingerprint });
});

test("an account has so many subscriptions and no more, whatever others have", async () => {
  const { id: session, ...owner } = mine;
  const row = { session, ...owner, isLinks: true, fingerprint: "", createdAt: store.clock.now() };
  const rows = Array.from({ length: SIZES.subscriptionsPerAccount - 1 }, (_, at) => ({
    ...row,
    projectNo: 1_000 + at,
  }));
  await store.db.tx(({ q, t }) => q.insert(t.resourceSubscriptions).values(rows).returning());
  await to(mine, false);
  await expect(to(second, true)).rejects.toMatchObject({ code: "rate_limited" });
  await to(others, true);
  expect(await open(mine, second)).toEqual(["session-1 key_1 project", "session-1 key_2 links"]);
});
