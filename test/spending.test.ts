import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isSubmission } from "../src/contract/operation.ts";
import { audit } from "../src/domain/audit/audit.ts";
import { createKey, keysOf } from "../src/domain/credentials/keys.ts";
import { approvalsOf, decideApproval } from "../src/domain/spending/approvals.ts";
import { budgetOf, setLimits } from "../src/domain/spending/budgets.ts";
import { ACCOUNT } from "../src/domain/spending/holder.ts";
import { NO_LIMITS, type SpendingLimits } from "../src/domain/spending/limits.ts";
import { MINUTE } from "../src/platform/clock.ts";
import { operations } from "../tools/index.ts";
import resubmit from "../tools/resubmit.ts";
import { urlset } from "./support/network/sitemap-server.ts";
import { EXAMPLES } from "./support/service/examples.ts";
import { type TestService, testService } from "./support/service/service.ts";
import { SURFACES, type SurfaceClient } from "./support/service/surface-client.ts";

/** What resubmit spends depends on a project, which test/resubmit.both.test.ts has. */
const SPENDING = operations.filter((one) => isSubmission(one) && one !== resubmit).map(({ name }) => name);

describe.each(Object.keys(SURFACES))("%s", (surface) => {
  let service: TestService;
  let client: SurfaceClient;
  let account: { id: string; key: string };
  let holder: string;
  beforeAll(async () => {
    service = await testService();
    client = SURFACES[surface]!(service);
  });
  afterAll(async () => {
    expect((await audit(service.db)).problems).toEqual([]);
    await client.close();
    await service.close();
  });
  beforeEach(async () => {
    account = await service.account();
    holder = (await keysOf(service.db, account.id))[0]!.id;
  });

  // Clients of MCP take a 403 for a lack of scope, and would ask for more of it.
  const isRest = surface === "REST";
  const limit = (limits: Partial<SpendingLimits>) =>
    service.db.tx((tx) => setLimits(tx, { accountId: account.id, holder }, { ...NO_LIMITS, ...limits }));
  const spend = (name: string, more: object = {}) => {
    const sitemap = service.site.serve("/spending.xml", urlset(["https://example.com/1", "https://example.com/2"]));
    const own = { sitemap } as Parameters<(typeof EXAMPLES)[string]["input"]>[0];
    return client.call(name, { ...EXAMPLES[name]!.input(own), ...more }, { key: account.key });
  };
  const spent = async () => (await budgetOf(service.db, { accountId: account.id, holder }))?.spent ?? 0;

  test.each(SPENDING)("403 spending_limit: %s says what limits it, and spends nothing", async (name) => {
    await limit({ perDay: 1 });
    const refused = await spend(name);
    expect([refused.code, refused.status]).toEqual(["spending_limit", isRest ? 403 : 200]);
    expect(refused.body).toMatchObject({ limit: "per_day", needed: EXAMPLES[name]!.cost, remaining: 1 });
    expect(refused.body.resets_at).toMatch(/T00:00:00.000Z$/);
    expect(refused.body.approval_url).toBe(`${service.config.siteUrl}/dashboard/credentials/${holder}`);
    expect(await spent()).toBe(0);
    await limit({ perDay: EXAMPLES[name]!.cost! });
    expect((await spend(name)).ok).toBe(true);
    expect(await spent()).toBe(EXAMPLES[name]!.cost);
  });

  test("403 spending_limit: all credentials together are held to the budget of the account, above their own", async () => {
    const { id, key } = account;
    const other = await service.db.tx((tx) =>
      createKey(tx, { accountId: id, name: "other", mode: "sandbox", now: service.clock.now() }),
    );
    const ofAccount = (limits: Partial<SpendingLimits>) =>
      service.db.tx((tx) => setLimits(tx, { accountId: id, holder: ACCOUNT }, { ...NO_LIMITS, ...limits }));
    const submit = (by: string, count: number) => {
      const urls = Array.from({ length: count }, (_, at) => `https://example.com/${at}`);
      return client.call("submit_urls", { urls }, { key: by });
    };
    expect((await submit(key, 2)).ok).toBe(true);
    // What was spent before counts.
    await ofAccount({ perDay: 5, perMonth: 6 });
    expect((await submit(other, 2)).ok).toBe(true);
    const { body } = await client.call("get_spending", {}, { key });
    expect([body.remaining.call, body.remaining.day]).toEqual([1, null]);
    const refused = await submit(other, 2);
    expect(refused.code).toBe("spending_limit");
    expect(refused.body).toMatchObject({ limit: "account_day", needed: 2, remaining: 1 });
    expect(refused.body.approval_url).toBe(`${service.config.siteUrl}/dashboard/spending`);
    expect(refused.body.message).toContain("account_day of all keys, apps and agents together leaves 1");
    await ofAccount({ perDay: 500, perMonth: 6 });
    expect((await submit(key, 3)).body).toMatchObject({ limit: "account_month", remaining: 2 });
    expect((await submit(key, 2)).ok).toBe(true);
    const { spent, spentToday } = (await budgetOf(service.db, { accountId: id, holder: ACCOUNT }))!;
    expect([spent, spentToday]).toEqual([6, 6]);
    const { body: report } = await client.call("get_spend_report", { days: 2 }, { key });
    expect([report.spent, report.returned, report.by_day.map((one: { spent: number }) => one.spent)]).toEqual([
      6,
      0,
      [0, 6],
    ]);
    expect(report.by_credential.map((one: { kind: string; spent: number }) => [one.kind, one.spent])).toEqual([
      ["key", 4],
      ["key", 2],
    ]);
    expect(report.by_project.map((one: { spent: number }) => one.spent)).toEqual([2, 2, 2]);
    expect(report.budget.account_month).toMatchObject({ limit: 6, spent: 6, remaining: 0 });
  });

  test.each(SPENDING)("403 approval_required: %s goes through once after a yes", async (name) => {
    await limit({ approveAbove: 1 });
    const refused = await spend(name);
    expect([refused.code, refused.status]).toEqual(["approval_required", isRest ? 403 : 200]);
    expect(refused.body).toMatchObject({ needed: EXAMPLES[name]!.cost });
    const [approval] = await approvalsOf(service.db, account.id, 1);
    expect(refused.body.approval_url).toBe(`${service.config.siteUrl}/dashboard/approvals/${approval!.id}`);
    const now = service.clock.now();
    const decision = { id: approval!.id, isApproved: true, now };
    expect(await service.db.tx((tx) => decideApproval(tx, account.id, decision))).toBe("decided");
    expect((await spend(name, { name: "Another input" })).code).toBe("approval_required");
    expect((await spend(name)).ok).toBe(true);
    expect((await spend(name)).code).toBe("approval_required");
    expect(await spent()).toBe(EXAMPLES[name]!.cost);
  });

  test("law: a yes to a submission by sitemap is for the list that was read; another list asks anew", async () => {
    const list = (name: string, count = 3) =>
      Array.from({ length: count }, (_, no) => `https://example.com/${name}/${no}`);
    const submit = (urls: readonly string[]) => {
      const sitemap_url = service.site.serve("/swapped.xml", urlset(urls));
      return client.call("submit_sitemap", { sitemap_url, name: "A list" }, { key: account.key });
    };
    const newest = async () => (await approvalsOf(service.db, account.id, 1))[0]!;
    const approve = async ({ id }: { readonly id: string }) => {
      const decision = { id, isApproved: true, now: service.clock.now() };
      expect(await service.db.tx((tx) => decideApproval(tx, account.id, decision))).toBe("decided");
    };
    await limit({ approveAbove: 1 });
    expect((await submit(list("a"))).code).toBe("approval_required");
    const first = await newest();
    await approve(first);
    const others = {
      "the same number of others": list("b"),
      "one that was swapped": [...list("a").slice(1), "https://example.com/b"],
      "the same on another host": list("a").map((url) => url.replace("example.com", "example.org")),
      more: list("a", 4),
      fewer: list("a", 2),
    };
    for (const [what, urls] of Object.entries(others)) {
      service.clock.pass(MINUTE);
      const asked = await submit(urls);
      expect([what, asked.code]).toEqual([what, "approval_required"]);
      const { id, about } = await newest();
      expect(asked.body).toMatchObject({ needed: urls.length, approval_url: expect.stringContaining(id) });
      expect(id).not.toBe(first.id);
      expect(JSON.parse(about)).toMatchObject({ count: urls.length, urls });
    }
    expect(await spent()).toBe(0);
    expect((await submit(list("a").reverse())).ok).toBe(true);
    expect(await spent()).toBe(3);
  });

  test("200: get_spending says limits, what was spent and what is left", async () => {
    await limit({ perCall: 5, perDay: 10, approveAbove: 3 });
    await spend("submit_urls");
    const { body } = await client.call("get_spending", {}, { key: account.key });
    expect(body).toMatchObject({
      object: "spending",
      credential: { id: holder, type: "api_key", name: "test" },
      limits: { per_call: 5, per_day: 10, per_month: null, total: null, approve_above: 3, expires_at: null },
      spent: { today: 2, this_month: 2, total: 2 },
      remaining: { call: 5, day: 8, month: null, total: null },
    });
  });

  test("200: lists by credential leave out what others made", async () => {
    await spend("submit_urls");
    const names = async (credential_id: string) => {
      const { body } = await client.call("list_projects", { credential_id }, { key: account.key });
      const { body: ledger } = await client.call("list_ledger", { credential_id }, { key: account.key });
      return [body.projects.length, ledger.entries.map((entry: { kind: string }) => entry.kind)];
    };
    expect(await names(holder)).toEqual([1, ["spend"]]);
    expect(await names("operator")).toEqual([0, ["purchase"]]);
    expect(await names("key_other")).toEqual([0, []]);
  });
});
