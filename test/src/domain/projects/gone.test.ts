import { expect, test } from "vitest";
import { evidenceOf } from "../../../../src/domain/projects/findings.ts";
import { goneIn } from "../../../../src/domain/projects/gone.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { urlOf } from "../../../support/service/sandbox-urls.ts";

const store = eachTest(testStore);

test("pages that were found on day 4 and missed on day 14, and whose credits stay spent, are gone; those of a project without such pages are not", async () => {
  const account = await store.account(1_000);
  const urls = (["hour", "dropped", "withdrawn", "never"] as const).map((fate) => urlOf(fate, fate));
  const project = await store.index(account, urls);
  await store.index(account, [urlOf("hour", "found"), urlOf("never", "missed")]);
  const start = store.clock.service();
  const { projects } = store.db.t;
  const gone = async () => Object.fromEntries(await goneIn(store.db, await store.db.q.select().from(projects)));
  await testChecker(store).until(start + 5 * DAY);
  expect(await gone()).toEqual({});
  await testChecker(store).until(start + 17 * DAY);
  expect(await gone()).toEqual({ [project.no]: 1 });
  const records = await store.links(project);
  expect(records.map((record) => evidenceOf(record).finding)).toEqual([
    "indexed",
    "not_indexed",
    "gone",
    "not_indexed",
  ]);
});
