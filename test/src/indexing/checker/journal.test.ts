import { expect, test } from "vitest";
import type { StepRow } from "../../../../db/engine.ts";
import { StepJournal } from "../../../../src/indexing/checker/journal.ts";
import { LeaseLost } from "../../../../src/indexing/checker/lease.ts";
import { membersOf } from "../../../../src/indexing/checker/members.ts";
import { ProviderBook } from "../../../../src/indexing/providers/book.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { anyQuota } from "../../../support/indexing/any-quota.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
const quota = anyQuota("p", {});
const accepted = { kind: "accepted", provider: "p" } as const;

/** A worker claims the step of the only project once its leases have ended. */
async function claimed(lease: string): Promise<StepRow> {
  const { db, clock } = store;
  clock.pass(2 * MINUTE);
  const ends = { now: clock.now(), leaseUntil: clock.now() + MINUTE };
  const [step] = await db.claimSteps({ priority: 1, dueBy: clock.service(), ...ends, lease, limit: 1 });
  return step!;
}

async function journalOf(step: StepRow): Promise<StepJournal> {
  const { db, clock } = store;
  return new StepJournal({ book: new ProviderBook(db, clock), clock }, step, await membersOf(db, step));
}

test("law: the worker that takes a step over finds each call that was begun, with its links and what it was answered", async () => {
  await store.index(await store.account(10), pages(6));
  const first = await journalOf(await claimed("a.1"));
  const answered = await first.begin({ provider: "p", quota, indices: [3, 1] });
  if (!("id" in answered)) throw new Error("no units");
  await first.end(answered, [accepted, accepted]);
  const begun = await first.begin({ provider: "p", quota, indices: [0, 5] });
  if (!("id" in begun)) throw new Error("no units");

  const second = await journalOf(await claimed("b.1"));
  const { reference, begunAt } = begun;
  expect(await second.earlier()).toMatchObject([
    { id: answered.id, indices: [1, 3], outcomes: [accepted, accepted] },
    { id: begun.id, provider: "p", reference, begunAt, indices: [0, 5], outcomes: null },
  ]);
  await expect(first.begin({ provider: "p", quota, indices: [2] })).rejects.toThrow(LeaseLost);
});
