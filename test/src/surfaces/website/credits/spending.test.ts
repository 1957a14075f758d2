import { afterAll, expect, test } from "vitest";
import { createKey } from "../../../../../src/domain/credentials/keys.ts";
import { budgetOf } from "../../../../../src/domain/spending/budgets.ts";
import { ACCOUNT } from "../../../../../src/domain/spending/holder.ts";
import { HOUR } from "../../../../../src/platform/clock.ts";
import { testService } from "../../../../support/service/service.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
const { db, clock } = service;
afterAll(() => service.close());

const PATH = "/dashboard/spending";
const LIMITS = { account_day: "3", account_month: "100" };

async function withKey() {
  const { user, accountId } = await signedIn(service);
  const key = await db.tx((tx) => createKey(tx, { accountId, name: "Crawler", mode: "sandbox", now: clock.now() }));
  const submit = (count: number) => {
    const urls = Array.from({ length: count }, (_, at) => `https://example.com/${at}`);
    return service.request("POST", "/projects", { key, body: { urls, name: "Spring" } });
  };
  return { user, accountId, submit };
}

test("200: who spent what, as the report says, and as a file", async () => {
  const { user, submit } = await withKey();
  expect((await user.get(PATH)).text).toContain("Nothing was spent in the last 30 days.");
  await submit(2);
  const page = await user.get(PATH);
  for (const text of ["Spent in the last 30 days: 2 credits", "Crawler", "Spring"]) expect(page.text).toContain(text);
  const { html } = await user.get(`${PATH}.csv`);
  expect(html.split("\r\n")[0]).toBe('"by","id","kind","name","spent","returned"');
  expect(html).toContain('"Spring","2","0"');
});

test("303: the limit of the account holds at the next call of a program, and leads back with what was saved", async () => {
  const { user, accountId, submit } = await withKey();
  await submit(2);
  const done = await user.submit(await user.get(PATH), LIMITS, PATH);
  expect([done.status, done.location]).toEqual([303, `${PATH}?done=saved`]);
  expect(await budgetOf(db, { accountId, holder: ACCOUNT })).toMatchObject({ perDay: 3, perMonth: 100, spent: 2 });
  expect((await submit(2)).json.error).toMatchObject({ code: "spending_limit", limit: "account_day", remaining: 1 });
  expect((await user.get(PATH)).text).toContain("(1 left)");
  await user.submit(await user.get(PATH), { account_day: "", account_month: "" }, PATH);
  expect((await submit(2)).status).toBe(201);
});

test("400: what is no number of credits is shown again, and changes nothing", async () => {
  const { user, accountId } = await withKey();
  const refused = await user.submit(await user.get(PATH), { ...LIMITS, account_day: "three" }, PATH);
  expect(refused.status).toBe(400);
  expect(refused.html).toContain('value="three"');
  expect(await budgetOf(db, { accountId, holder: ACCOUNT })).toBeNull();
});

test("303: who did not sign in lately does so again before the limit is changed", async () => {
  const { user, accountId } = await withKey();
  const page = await user.get(PATH);
  clock.pass(2 * HOUR);
  const asked = await user.submit(page, LIMITS, PATH);
  expect([asked.status, asked.location]).toEqual([303, expect.stringMatching(/^\/sign-in\?.*again=1/)]);
  expect(await budgetOf(db, { accountId, holder: ACCOUNT })).toBeNull();
});
