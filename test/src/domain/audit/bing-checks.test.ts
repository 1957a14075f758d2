import { beforeEach, expect, test } from "vitest";
import { CHECK_STAGES } from "../../../../db/words.ts";
import { audit } from "../../../../src/domain/audit/audit.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { rawQuery } from "../../../support/database/raw-query.ts";
import { testStore } from "../../../support/database/store.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const t = eachTest(testStore);

/** As the database stores it. */
const DAY_4 = CHECK_STAGES.indexOf("day_4");

/** A page of the account's own site, which Bing was asked for twice, and one of another, which it was not. */
beforeEach(async () => {
  const account = await t.account(100);
  const now = t.clock.now();
  const site = { bucket: 0, accountId: account, host: "own.example", indexnowKey: "0".repeat(32), connections: "{}" };
  const more = { keyUrl: "https://own.example/0.txt", status: "verified", createdAt: now, verifiedAt: now };
  await t.db.tx((tx) => tx.q.insert(tx.t.sites).values({ id: "site_own", ...site, ...more } as never));
  const urls = ["https://own.example/?sandbox=hour", "https://other.example/?sandbox=hour"];
  await t.index(account, urls, { bing: true });
  await testChecker(t).until(t.clock.service() + 30 * DAY);
  const asked = await t.db.q.select().from(t.db.t.bingChecks);
  expect(asked.map(({ stage }) => stage)).toEqual(["day_4", "day_14"]);
  expect((await audit(t.db)).problems).toEqual([]);
});

test.each([
  ["UPDATE bing_checks SET project_no = 99", /^Bing was asked for links of project number 99, which does not exist$/],
  ["UPDATE projects SET bing = {false}", /^Bing was asked for links of project number \d+, which it does not have$/],
  ["UPDATE bing_checks SET first = 7, last = 7", /, link 7: Bing was asked for it, and it does not exist$/],
  [`DELETE FROM bing_checks WHERE stage = ${DAY_4}`, /, link 0: Bing was asked on day_14$/],
  [`UPDATE bing_checks SET stage = ${DAY_4}`, /, link 0: Bing was asked on day_4 and day_4$/],
])("damage is named: %s: %s", async (statement, sentence) => {
  await rawQuery(t.url, statement.replace("{false}", t.db.dialect === "pg" ? "false" : "0"));
  const { ok, problems } = await audit(t.db);
  expect(ok).toBe(false);
  expect(problems.join("\n")).toMatch(new RegExp(sentence.source, "m"));
});
