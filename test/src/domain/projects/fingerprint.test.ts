import { expect, test } from "vitest";
import { cancelLinks } from "../../../../src/domain/projects/cancel.ts";
import { fingerprintsOf, projectsByIds } from "../../../../src/domain/projects/fingerprint.ts";
import { timesOf } from "../../../../src/platform/clock.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

test("the fingerprint of a project changes with it alone, and an account gets those of its own projects", async () => {
  const [account, other] = [await store.account(10), await store.account(10)];
  const [one, same] = [await store.index(account, pages(2)), await store.index(account, pages(2))];
  const others = await store.index(other, pages(2));
  const ids = [one, same, others].map(({ id }) => id);
  const numbers = [one, same, others].map(({ no }) => no);
  const before = await fingerprintsOf(store.db, numbers);
  expect([...before.keys()].sort()).toEqual([...numbers].sort());
  await store.db.tx((tx) => cancelLinks(tx, one, [0], timesOf(store.clock)));
  const after = await fingerprintsOf(store.db, numbers);
  expect(numbers.filter((no) => after.get(no) !== before.get(no))).toEqual([one.no]);
  const found = (await projectsByIds(store.db, account, ids)).sort((a, b) => a.no - b.no);
  expect(found).toEqual([one, same].map(({ id, no }) => ({ id, no, fingerprint: after.get(no) })));
});
