import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { audit } from "../src/domain/audit/audit.ts";
import { approvalsOf } from "../src/domain/spending/approvals.ts";
import { SIZES } from "../src/platform/sizes.ts";
import { decideNewest } from "./support/a2a/approvals.ts";
import { shareOf } from "./support/service/example-service.ts";
import { testService } from "./support/service/service.ts";
import { SURFACES } from "./support/service/surface-client.ts";

const service = await testService();
afterAll(() => service.close());

describe.each(Object.entries(SURFACES))("%s: shares of results", (at, connect) => {
  const client = connect(service);
  afterAll(() => client.close());
  let account: { id: string; key: string };
  let project_id: string;
  beforeAll(async () => {
    account = await service.account({ credits: 1_000 });
    const { body } = await call("submit_urls", { urls: ["https://shop.example/"], name: "Spring" });
    project_id = body.project.id;
  });
  const call = (name: string, input: object, { key } = account) =>
    client.call(name, input as Record<string, unknown>, { key });

  /** Makes a call that needs a yes, gets it, and makes it again. */
  async function agreed(name: string, input: object) {
    // The newest question is found by its time.
    service.clock.pass(1);
    const refused = await call(name, input);
    expect([refused.code, refused.body.needed]).toEqual(["approval_required", 0]);
    expect(refused.body.message).toContain("costs nothing");
    expect(refused.status).toBe(at === "REST" ? 403 : 200);
    const { approval, outcome } = await decideNewest(service, account.id);
    expect([approval.operation, approval.credits, outcome]).toEqual([name, 0, "decided"]);
    return (await call(name, input)).body;
  }

  test("a key makes, lists and ends a share, each change after the yes of a person; its address is told once", async () => {
    const input = { project_id, title: "Spring pages", from: "An agency", expires_in_days: 7 };
    const share = await agreed("share_results", input);
    expect(share).toMatchObject({ object: "share", project_id, host: null, title: "Spring pages", from: "An agency" });
    expect(share.url).toMatch(/^http:\/\/beckon\.test\/shared\/shs_[\w-]{43}$/);
    expect(Date.parse(share.expires_at) - Date.parse(share.created_at)).toBe(7 * 24 * 3_600_000);
    // The yes is used up.
    expect((await call("share_results", input)).code).toBe("approval_required");
    const { shares } = (await call("list_shares", {})).body;
    expect(shares).toEqual([{ ...share, url: null }]);
    expect(await agreed("delete_share", { share_id: share.id })).toEqual({ ...share, url: null });
    expect((await call("list_shares", {})).body).toEqual({ shares: [], has_more: false });
    expect((await call("delete_share", { share_id: share.id })).code).toBe("not_found");
    expect((await audit(service.db)).problems).toEqual([]);
  });

  test("without a title it is called as the project; without a name nobody is named; it ends after 30 days", async () => {
    const share = await agreed("share_results", { project_id });
    expect([share.title, share.from]).toEqual(["Spring", ""]);
    expect(Date.parse(share.expires_at) - Date.parse(share.created_at)).toBe(30 * 24 * 3_600_000);
  });

  test.each([
    [{}, "project_id"],
    [{ host: "shop.example", project_id: "prj_0123456789abc" }, "host"],
    [{ project_id: "prj_0123456789abc", expires_in_days: 401 }, "expires_in_days"],
    [{ project_id: "prj_0123456789abc", expires_in_days: 0 }, "expires_in_days"],
    [{ project_id: "prj_0123456789abc", title: "x".repeat(121) }, "title"],
    [{ project_id: "prj_0123456789abc", from: "a\nb" }, "from"],
    [{ host: "a b" }, "host"],
  ])("400 invalid_request: %j, and nobody is asked", async (input, field) => {
    const before = await approvalsOf(service.db, account.id, 100);
    const { code, body } = await call("share_results", input);
    expect([code, body.issues[0].path]).toEqual(["invalid_request", field]);
    expect(await approvalsOf(service.db, account.id, 100)).toEqual(before);
  });

  test("404 not_found: a project of another account, a host without pages, a share of another account or credential", async () => {
    const stranger = await service.account();
    expect((await call("share_results", { project_id }, stranger)).code).toBe("not_found");
    expect((await call("share_results", { host: "nowhere.example" })).code).toBe("not_found");
    const share_id = await shareOf(service, account.key, project_id);
    expect((await call("delete_share", { share_id }, stranger)).code).toBe("not_found");
    expect((await call("list_shares", {}, stranger)).body.shares).toEqual([]);
  });

  test("400: one more than an account may have; ended ones do not count", async () => {
    const full = await service.account({ credits: 10 });
    const { body } = await call("submit_urls", { urls: ["https://shop.example/"] }, full);
    for (let made = 0; made < SIZES.sharesPerAccount; made++) await shareOf(service, full.key, body.project.id);
    const { code, body: refusal } = await call("share_results", { project_id: body.project.id }, full);
    expect([code, refusal.message]).toEqual(["invalid_request", expect.stringContaining("100 shares")]);
  });
});
