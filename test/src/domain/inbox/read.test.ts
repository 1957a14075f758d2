import { expect, test } from "vitest";
import { countInbox } from "../../../../src/domain/inbox/count.ts";
import { readInbox, seeResults } from "../../../../src/domain/inbox/read.ts";
import type { InboxOwner } from "../../../../src/domain/inbox/waiting.ts";
import { DAY, timesOf } from "../../../../src/platform/clock.ts";
import { asOwner } from "../../../support/database/people.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
const LIMITS = { approvals: 9, runs: 9, connections: 9, webhooks: 9, results: 9 };

test("results that were seen leave the inbox, one project or all of an account, and come back with the final check", async () => {
  const start = store.clock.service();
  const owners: InboxOwner[] = [];
  for (let n = 0; n < 2; n++) owners.push({ ...(await asOwner(store.db, await store.account(10))), role: "owner" });
  const [ann, ben] = owners as [InboxOwner, InboxOwner];
  const [first, second] = [
    await store.index(ann.accountId, pages(1, "never")),
    await store.index(ann.accountId, pages(1, "never")),
  ];
  await store.index(ben.accountId, pages(1, "never"));
  const open = async (owner: InboxOwner) => {
    const { results } = await readInbox(store.db, owner, { limits: LIMITS, ...timesOf(store.clock) });
    expect((await countInbox(store.db, owner, timesOf(store.clock))).results).toBe(results.length);
    return results.map(({ id, isFinal }) => [id, isFinal]);
  };
  const see = (owner: InboxOwner, id?: string) => store.db.tx((tx) => seeResults(tx, owner, timesOf(store.clock), id));
  // Nothing is there yet, so nothing can be seen.
  await see(ann);
  expect((await store.reload(first)).openedAt).toBeNull();
  await testChecker(store).until(start + 5 * DAY);
  expect(await open(ann)).toEqual([
    [second.id, false],
    [first.id, false],
  ]);
  await see(ben, first.id);
  await see(ann, second.id);
  expect(await open(ann)).toEqual([[first.id, false]]);
  await see(ann);
  expect(await open(ann)).toEqual([]);
  expect(await open(ben)).toHaveLength(1);
  await testChecker(store).until(start + 16 * DAY);
  expect(await open(ann)).toEqual([
    [second.id, true],
    [first.id, true],
  ]);
});
