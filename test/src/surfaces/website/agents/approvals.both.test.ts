import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { createKeyOnce, revokeKey } from "../../../../../src/domain/credentials/keys.ts";
import { approvalOf, requestApproval } from "../../../../../src/domain/spending/approvals.ts";
import { setLimits } from "../../../../../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../../../../../src/domain/spending/limits.ts";
import { DAY, MINUTE } from "../../../../../src/platform/clock.ts";
import { newId } from "../../../../../src/platform/ids.ts";
import { SCOPES } from "../../../../../src/platform/principal.ts";
import { urlset } from "../../../../support/network/sitemap-server.ts";
import { testService } from "../../../../support/service/service.ts";
import { connected } from "../../../../support/website/account-fixtures.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());
const { db, clock } = service;

const LIST = "/dashboard/approvals";
const urls = Array.from({ length: 8 }, (_, index) => `https://example.com/${index}`);

/** A signed-in person with a key that may spend five credits by itself, and a call of it that costs eight. */
async function withQuestion() {
  const { user, accountId } = await signedIn(service);
  const id = newId("key");
  const key = await db.tx(async (tx) => {
    const limits = { ...NO_LIMITS, approveAbove: 5 };
    return createKeyOnce(tx, { id, accountId, name: "Robot", limits, mode: "sandbox", now: clock.now() });
  });
  const submit = () => service.request("POST", "/projects", { key, body: { urls, name: "News" } });
  const asked = await submit();
  const { approval_url: address } = asked.json.error;
  const path = new URL(address).pathname;
  const approval = () => approvalOf(db, accountId, path.slice(LIST.length + 1));
  return { user, accountId, key: key as string, submit, asked, path, keyId: id, approval };
}

/** Asks for an approval as an app or agent would. @returns the path of its page */
async function askAs(accountId: string, credential: string): Promise<{ path: string }> {
  const call = { accountId, credential, operation: "submit_urls", inputHash: "a", digest: "b" };
  const about = { name: "News", description: "8 URLs", sitemap: null, count: 8, hosts: [], otherHosts: 0, urls };
  const request = { ...call, credentialName: "Robin", holder: "agent:Robin", credits: 8, about: JSON.stringify(about) };
  const approval = await db.tx((tx) => requestApproval(tx, { ...request, now: clock.now() }));
  return { path: `${LIST}/${approval!.id}` };
}

test("403 approval_required leads to a page that says what would be done, by whom, for how much, and what is left", async () => {
  const { user, asked, path } = await withQuestion();
  expect(asked.status).toBe(403);
  expect(asked.json.error).toMatchObject({ code: "approval_required", needed: 8 });
  const { text } = await user.get(path);
  expect(text).toContain("“Robot” asks to spend 8 credits. Your balance is 150, and would be 142 then.");
  expect(text).toContain("News");
  expect(text).toContain("8 URLs, standard");
  expect(text).toContain("https://example.com/0");
  expect((await user.get(LIST)).text).toContain("Robot submit_urls 8 Waits for you");
});

test("303: after a yes the same call goes through once, and the page leads to its project", async () => {
  const { user, path, submit } = await withQuestion();
  const page = await user.get(path);
  expect((await submit()).json.error.code).toBe("approval_required");
  const done = await user.submit(page, { decision: "yes" }, path);
  expect([done.status, done.location]).toEqual([303, `${path}?done=yes`]);
  expect((await submit()).status).toBe(201);
  expect((await submit()).json.error.code).toBe("approval_required");
  expect((await user.get(path)).text).toContain("The project that it made");
  expect((await user.get("/dashboard/security")).text).toContain("Call approved Robot: submit_urls, 8 credits");
});

test("409: the second of two decisions changes nothing, and opening the link decides nothing", async () => {
  const { user, path, submit } = await withQuestion();
  const page = await user.get(`${path}?decision=yes`);
  expect((await submit()).json.error.code).toBe("approval_required");
  expect((await user.submit(page, { decision: "no" }, path)).status).toBe(303);
  expect((await user.submit(page, { decision: "yes" }, path)).status).toBe(409);
  expect((await submit()).json.error.code).toBe("approval_required");
});

test("409: nobody can say yes after 24 hours", async () => {
  const { user, path, submit } = await withQuestion();
  const page = await user.get(path);
  clock.pass(DAY);
  const late = await user.submit(page, { decision: "yes" }, path);
  // More than an hour after the sign-in, the person first proves again who they are.
  expect([late.status, late.location]).toEqual([303, expect.stringContaining("/sign-in?")]);
  expect((await user.get(path)).text).toContain("Expired");
  expect((await submit()).json.error.code).toBe("approval_required");
});

test("303 to confirm who one is, more than an hour after the sign-in; the form is not shown", async () => {
  const { user, path } = await withQuestion();
  clock.pass(61 * MINUTE);
  expect((await user.get(path)).text).toContain("Before you decide");
});

test("the page says what a sitemap had: how many URLs, of which hosts, and the first ones", async () => {
  const { user, key } = await withQuestion();
  const hosts = Array.from({ length: 12 }, (_, no) => `https://site-${no}.example.com/`);
  const list = [...Array.from({ length: 100 }, (_, no) => `https://example.com/page/${no}`), ...hosts];
  const sitemap_url = service.site.serve("/approved.xml", urlset(list));
  const { json } = await service.request("POST", "/projects/from-sitemap", { key, body: { sitemap_url } });
  const { text } = await user.get(new URL(json.error.approval_url).pathname);
  expect(text).toContain("asks to spend 112 credits");
  expect(text).toContain(`Sitemap ${sitemap_url}`);
  expect(text).toContain("Hosts example.com (100), site-0.example.com (1), ");
  expect(text).toContain("and 3 other hosts");
  expect(text).toContain("The first 10 of 112 URLs https://example.com/page/0 https://example.com/page/1 ");
});

test("409: a question that a later one has replaced cannot be decided, and says so", async () => {
  const { user, key } = await withQuestion();
  const submit = async (list: readonly string[]) => {
    const sitemap_url = service.site.serve("/replaced.xml", urlset(list));
    const { json } = await service.request("POST", "/projects/from-sitemap", { key, body: { sitemap_url } });
    return new URL(json.error.approval_url).pathname;
  };
  const path = await submit(urls);
  const page = await user.get(path);
  const next = await submit(urls.map((url) => `${url}/other`));
  expect(next).not.toBe(path);
  expect((await user.submit(page, { decision: "yes" }, path)).status).toBe(409);
  expect((await user.get(path)).text).toContain("Replaced: the call would do something else by now");
  expect((await user.get(LIST)).text).toContain("submit_sitemap 8 Waits for you");
});

const ENDS: Record<string, (keyId: string) => Promise<unknown>> = {
  "is revoked": (keyId) => db.tx((tx) => revokeKey(tx, keyId, clock.now())),
  "has had its last day": (keyId) => {
    const { apiKeys } = db.t;
    return db.tx((tx) => tx.q.update(apiKeys).set({ expiresAt: clock.now() }).where(eq(apiKeys.id, keyId)).returning());
  },
};

test.each(Object.entries(ENDS))(
  "409: a call of a key that %s waits for nobody, and cannot be approved",
  async (_, end) => {
    const { user, path, keyId, approval } = await withQuestion();
    const page = await user.get(path);
    await end(keyId);
    for (const address of [LIST, path]) {
      const { text } = await user.get(address);
      expect(text).toContain("Withdrawn: its caller was disconnected");
      expect(text).not.toMatch(/Waits for you|Your decision/);
    }
    expect((await user.submit(page, { decision: "yes" }, path)).status).toBe(409);
    expect((await approval())?.status).not.toBe("approved");
  },
);

test("an app that is disconnected on its page has no question left", async () => {
  const { user, accountId } = await signedIn(service);
  const { grantId } = await connected(service, accountId, { name: "Robin", kind: "agent", scopes: SCOPES });
  const { path } = await askAs(accountId, grantId);
  expect((await user.get(LIST)).text).toContain("Waits for you");
  const page = await user.get("/dashboard/apps");
  expect((await user.submit(page, {}, `/dashboard/apps/${grantId}/disconnect`)).status).toBe(303);
  expect((await user.get(path)).text).toContain("Withdrawn: its caller was disconnected");
});

test("404: another account sees and decides nothing", async () => {
  const { path, submit } = await withQuestion();
  const { user: stranger } = await signedIn(service);
  expect((await stranger.get(path)).status).toBe(404);
  const { forms } = await stranger.get("/dashboard/notices");
  const token = forms[0]!.fields.find(([name]) => name === "token")!;
  expect((await stranger.post(path, [token, ["decision", "yes"]])).status).toBe(404);
  expect((await submit()).json.error.code).toBe("approval_required");
});

test("403 spending_limit leads to the page of the key, where its limits are raised", async () => {
  const { user, accountId, submit, keyId } = await withQuestion();
  await db.tx((tx) => setLimits(tx, { accountId, holder: keyId }, { ...NO_LIMITS, perDay: 7 }));
  const refused = await submit();
  expect(refused.json.error).toMatchObject({ code: "spending_limit", limit: "per_day", needed: 8, remaining: 7 });
  const page = await user.follow(await user.get(new URL(refused.json.error.approval_url).pathname));
  expect(page.text).toContain("Save the limits");
  const path = `/dashboard/keys/${keyId}`;
  for (const per_day of ["-1", "1.5", "99999999999", "many"])
    expect((await user.submit(page, { per_day }, `${path}/limits`)).status).toBe(400);
  expect((await submit()).json.error.code).toBe("spending_limit");
  const saved = await user.submit(page, { per_day: "8" }, `${path}/limits`);
  expect([saved.status, saved.location]).toEqual([303, `${path}?done=limits`]);
  expect((await submit()).status).toBe(201);
  expect((await user.get(path)).text).toContain("Today 8 8 0");
});
