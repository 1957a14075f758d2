import { expect, test } from "vitest";
import { cancelLinks } from "../../../../src/domain/projects/cancel.ts";
import { spendReport } from "../../../../src/domain/spending/report.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { keyPrincipal } from "../../../support/database/key-principal.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

test("law: who, when and for what add up to the same; what comes back belongs to whoever made its project", async () => {
  const { db, clock } = store;
  const account = await store.account(1_000);
  const principal = await keyPrincipal(db, account);
  const spender = { principal, operation: "submit_urls", inputHash: () => "" };
  const old = await store.index(account, pages(7));
  clock.pass(DAY);
  const mine = await store.index(account, pages(5), { name: "mine", spender });
  await store.index(await store.account(10), pages(9));
  clock.pass(DAY);
  const times = { now: clock.now(), service: clock.service() };
  await db.tx((tx) => cancelLinks(tx, mine, [0, 1], times));
  const report = await spendReport(db, account, { days: 2, rows: 10, now: clock.now() });
  expect([report.spent, report.returned]).toEqual([5, 2]);
  expect(report.byDay.map(({ spent, returned }) => [spent, returned])).toEqual([
    [5, 0],
    [0, 2],
  ]);
  expect(report.bySpender).toMatchObject([{ credential: principal.credential.id, kind: "key", spent: 5, returned: 2 }]);
  expect(report.byProject).toEqual([{ projectId: mine.id, name: "mine", spent: 5, returned: 2 }]);
  const longer = await spendReport(db, account, { days: 3, rows: 2, now: clock.now() });
  expect(longer.bySpender.map(({ kind, spent }) => [kind, spent])).toEqual([
    ["operator", 7],
    ["key", 5],
  ]);
  expect(longer.byProject.map(({ projectId }) => projectId)).toEqual([old.id, mine.id]);
  const least = await spendReport(db, account, { days: 3, rows: 1, now: clock.now() });
  expect([least.bySpender.length, least.byProject.map(({ projectId }) => projectId), least.spent]).toEqual([
    1,
    [old.id],
    12,
  ]);
});
