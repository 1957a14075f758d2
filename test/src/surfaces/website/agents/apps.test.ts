import { afterAll, expect, test } from "vitest";
import { grantOf } from "../../../../../src/domain/oauth/grants.ts";
import { LIFETIMES } from "../../../../../src/domain/oauth/tokens.ts";
import { setLimits } from "../../../../../src/domain/spending/budgets.ts";
import { holderOf } from "../../../../../src/domain/spending/holder.ts";
import { NO_LIMITS } from "../../../../../src/domain/spending/limits.ts";
import { MINUTE } from "../../../../../src/platform/clock.ts";
import { testService } from "../../../../support/service/service.ts";
import { connected, ESCAPED, HOSTILE, statusOf } from "../../../../support/website/account-fixtures.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const PATH = "/dashboard/apps";

test("200: connected apps and agents of this account, names escaped", async () => {
  const { user, accountId } = await signedIn(service);
  const other = await signedIn(service);
  expect((await user.get(PATH)).text).toContain("Nothing is connected");
  await connected(service, other.accountId, { name: "Not mine" });
  await connected(service, accountId, { name: HOSTILE });
  await connected(service, accountId, { name: "Helper", kind: "agent" });
  const { text, html } = await user.get(PATH);
  expect(html).toContain(`>${ESCAPED}</a></h3>`);
  expect(html).not.toContain("<b onclick");
  expect(text).toContain("Helper Agent Permissions: read Connected 5 Jan 2026, 12:00 UTC Never used");
  expect(text).not.toContain("Not mine");
});

test("401: a disconnected app is refused at its next call", async () => {
  const { user, accountId } = await signedIn(service);
  const { grantId, token } = await connected(service, accountId);
  const { token: left } = await connected(service, accountId);
  expect(await statusOf(service, token)).toBe(200);
  const page = await user.get(PATH);
  const done = await user.submit(page, {}, `${PATH}/${grantId}/disconnect`);
  expect([done.status, done.location]).toEqual([303, `${PATH}?done=disconnected`]);
  expect((await user.follow(done)).text).toContain("Disconnected. It no longer has access.");
  expect(await statusOf(service, token)).toBe(401);
  expect(await statusOf(service, left)).toBe(200);
  expect((await user.submit(page, {}, `${PATH}/${grantId}/disconnect`)).status).toBe(404);
  expect((await user.get("/dashboard/security")).text).toContain("App or agent disconnected Some app 127.0.0.1");
});

test("404: an app of another account stays connected", async () => {
  const { user, accountId } = await signedIn(service);
  const other = await signedIn(service);
  const mine = await connected(service, accountId);
  const { grantId, token } = await connected(service, other.accountId);
  const { forms } = await user.get(PATH);
  const { fields } = forms.find(({ action }) => action.includes(mine.grantId))!;
  expect((await user.post(`${PATH}/${grantId}/disconnect`, fields)).status).toBe(404);
  expect(await grantOf(service.db, grantId)).not.toBeNull();
  expect(await statusOf(service, token)).toBe(200);
});

test("an app connected again is one entry, and Disconnect ends all its access", async () => {
  const { user, accountId } = await signedIn(service);
  const [one, two] = [
    await connected(service, accountId, { clientId: "cli_again" }),
    await connected(service, accountId, { clientId: "cli_again" }),
  ];
  const page = await user.get(PATH);
  expect(page.forms.filter(({ action }) => action.endsWith("/disconnect"))).toHaveLength(1);
  expect(page.text).toContain(", 2 times, last ");
  const { action } = page.forms.find(({ action }) => action.endsWith("/disconnect"))!;
  expect((await user.submit(page, {}, action)).status).toBe(303);
  expect([await statusOf(service, one.token), await statusOf(service, two.token)]).toEqual([401, 401]);
});

test("an app whose tokens have all expired is not listed as connected", async () => {
  const { user, accountId } = await signedIn(service);
  await connected(service, accountId, { name: "Forgotten" });
  expect((await user.get(PATH)).text).toContain("Forgotten");
  service.clock.pass(LIFETIMES.access);
  const page = await user.get(PATH);
  expect(page.text).not.toContain("Forgotten");
  expect(page.text).toContain("Nothing is connected");
});

test("401: an app is refused from the end that its person has set, before its token expires", async () => {
  const { accountId } = await signedIn(service);
  const { token } = await connected(service, accountId, { name: "Ends soon" });
  const expiresAt = service.clock.now() + MINUTE;
  const holder = holderOf({ clientId: null, name: "Ends soon" });
  await service.db.tx((tx) => setLimits(tx, { accountId, holder }, { ...NO_LIMITS, expiresAt }));
  expect(await statusOf(service, token)).toBe(200);
  service.clock.pass(MINUTE);
  expect(await statusOf(service, token)).toBe(401);
});
