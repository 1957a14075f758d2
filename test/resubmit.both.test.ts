import { afterAll, describe, expect, test } from "vitest";
import { audit } from "../src/domain/audit/audit.ts";
import { keysOf } from "../src/domain/credentials/keys.ts";
import { approvalsOf, decideApproval } from "../src/domain/spending/approvals.ts";
import { setLimits } from "../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../src/domain/spending/limits.ts";
import type { PageRefusal, PageReport } from "../src/indexing/preflight/report.ts";
import { DAY } from "../src/platform/clock.ts";
import { testChecker } from "./support/service/checker.ts";
import { testService } from "./support/service/service.ts";
import { SURFACES } from "./support/service/surface-client.ts";

const PAGES = ["never", "crawled_not_indexed", "silent", "hour", "rejected", "dropped"];

/** An address of a fate of the sandbox. */
const page = (fate: string, no = 0) => `https://example.com/${fate}/${no}?sandbox=${fate}`;

describe.each(Object.entries(SURFACES))("%s", (_, connect) => {
  /** What the preflight says of a page: refused ones, and hosts of which nothing is read. */
  const refused = new Map<string, PageRefusal>();
  const ready = testService({ config: { preflight: true } }).then((service) => {
    const report = (url: string): PageReport => {
      const refusal = refused.get(url) ?? null;
      const access = refusal === "robots_disallowed" ? ({ Googlebot: "robots" } as const) : {};
      return { refusal, warnings: [], ...(refusal === "host_not_public" ? {} : { access }) };
    };
    const pages = { check: async (urls: readonly string[]) => urls.map(report) };
    return {
      service,
      client: connect(service),
      checker: testChecker(service, (sandbox) => ({ ...sandbox, pages })),
    };
  });
  afterAll(async () => {
    const { service, client } = await ready;
    expect((await audit(service.db)).problems).toEqual([]);
    await client.close();
    await service.close();
  });

  async function caller(credits = 100) {
    const { service, client, checker } = await ready;
    const account = await service.account({ credits });
    const call = async (name: string, input: object, idempotencyKey?: string) => {
      const { code, body, replayed } = await client.call(name, { ...input }, { ...account, idempotencyKey });
      return { code, body, replayed };
    };
    const submit = async (input: object) => (await call("submit_urls", input)).body.project.id as string;
    const pass = (days: number) => checker.until(service.clock.service() + days * DAY);
    const urlsOf = async (id: string) => {
      const { body } = await call("list_links", { project_id: id, limit: 100 });
      return body.links.map(({ url }: { url: string }) => url);
    };
    /** A project of one page of each fate, which is over. */
    const ended = async () => {
      const id = await submit({ urls: PAGES.map((fate) => page(fate)), name: "First", bing: false });
      await pass(25);
      return id;
    };
    const again = (id: string, more: object = {}, key?: string) => call("resubmit", { project_id: id, ...more }, key);
    const price = (id: string, more: object = {}) => call("estimate_cost", { project_id: id, ...more });
    const balance = async () => (await call("get_account", {})).body.credits;
    const { faults } = checker;
    return { service, faults, account, client, call, submit, pass, ended, again, price, balance, urlsOf };
  }

  test("201: what is not indexed becomes a project that is sent as before and names its parent, at the price told before", async () => {
    const { ended, again, price, balance, urlsOf } = await caller();
    const id = await ended();
    const before = await balance();
    const { body: estimate } = await price(id);
    expect(estimate).toEqual({
      kind: "standard",
      urls: 4,
      invalid: 0,
      duplicates: 0,
      invalid_examples: [],
      credits: 4,
      balance: before,
      enough: true,
    });
    const { body } = await again(id);
    expect(body).toMatchObject({
      parent_id: id,
      left_out: [],
      urls_accepted: 4,
      invalid: 0,
      duplicates: 0,
      credits_spent: estimate.credits,
      balance: before - estimate.credits,
      project: {
        kind: "index",
        name: "First",
        mode: "standard",
        engines: { bing: false, yandex: true },
        status: "active",
      },
    });
    expect(await urlsOf(body.project.id)).toEqual(
      ["never", "crawled_not_indexed", "silent", "dropped"].map((fate) => page(fate)),
    );
  });

  test("201: only URLs of the given reasons, or with the given ids; the price is told of the same selection", async () => {
    const { ended, again, price, urlsOf, pass } = await caller();
    const id = await ended();
    const reasons = ["crawled_not_indexed", "unverifiable", "soft_404"];
    expect((await price(id, { reasons })).body.credits).toBe(2);
    const made = await again(id, { reasons });
    expect(await urlsOf(made.body.project.id)).toEqual([page("crawled_not_indexed"), page("silent")]);
    await pass(25);
    const link_ids = [5, 0, 5].map((position) => `lnk_${id.slice(4)}_${position}`);
    expect((await price(id, { link_ids })).body.urls).toBe(2);
    expect(await urlsOf((await again(id, { link_ids })).body.project.id)).toEqual([page("never"), page("dropped")]);
  });

  test("what its newest preflight refuses is left out and counted, and sent again when a newer one does not", async () => {
    const { submit, pass, again, urlsOf } = await caller();
    const urls = [1, 2, 3, 4, 5].map((no) => page("never", no));
    const [open, gone, closed, hidden, other] = urls as [string, string, string, string, string];
    const id = await submit({ urls });
    await pass(15);
    refused.set(gone, "http_404").set(closed, "robots_disallowed").set(hidden, "host_not_public");
    const second = (await again(id)).body;
    await pass(15);
    const third = (await again(id)).body;
    expect(third.left_out.sort(byReason)).toEqual([
      { reason: "host_not_public", count: 1 },
      { reason: "http_404", count: 1 },
      { reason: "robots_disallowed", count: 1 },
    ]);
    expect(await urlsOf(third.project.id)).toEqual([open, other]);
    expect(await urlsOf(second.project.id)).toEqual(urls);
    refused.clear();
    // The page is there again, which a project of its own finds out.
    await submit({ urls: [gone] });
    await pass(15);
    expect((await again(id)).body).toMatchObject({ urls_accepted: 3 });
  });

  test("URLs that are under way elsewhere, or that a later project has found, are left out", async () => {
    const { faults, submit, pass, again } = await caller();
    const [found, never, other] = [page("hour", 7), page("never", 8), page("never", 9)];
    // No check gives an answer, so that nothing is indexed in the end.
    const id = await submit({ urls: [found, never, other] });
    await pass(1);
    faults.set("outage");
    await pass(25);
    faults.set();
    await submit({ urls: [found] });
    await pass(15);
    await submit({ urls: [other], drip_days: 3 });
    const made = (await again(id)).body;
    expect(made.urls_accepted).toBe(1);
    expect(made.left_out.sort(byReason)).toEqual([
      { reason: "indexed_since", count: 1 },
      { reason: "under_way", count: 1 },
    ]);
    const { code, body } = await again(id);
    expect([code, body.left_out[0]]).toEqual(["no_valid_urls", { reason: "under_way", count: 2 }]);
  });

  test("a check is followed by a project that sends what Google does not have", async () => {
    const { call, pass, again, price, urlsOf } = await caller();
    const urls = [page("hour"), page("never"), page("never", 1)];
    const { id } = (await call("check_urls", { urls, name: "Which" })).body.project;
    await pass(1);
    expect((await price(id)).body).toMatchObject({ kind: "standard", urls: 2, credits: 2 });
    const { body } = await again(id);
    expect(body.project).toMatchObject({ kind: "index", name: "Which", mode: "standard", engines: { bing: true } });
    expect(await urlsOf(body.project.id)).toEqual(urls.slice(1));
  });

  test("400: lists that are empty or null, unknown reasons, both lists, and ids of what is not not_indexed; nothing is spent", async () => {
    const { ended, again, price, balance } = await caller();
    const id = await ended();
    const before = await balance();
    const own = (position: number) => `lnk_${id.slice(4)}_${position}`;
    const wrong: [object, string][] = [
      [{ reasons: [] }, "reasons"],
      [{ link_ids: [] }, "link_ids"],
      [{ reasons: null }, "reasons"],
      [{ link_ids: null }, "link_ids"],
      [{ reasons: ["nonsense"] }, "reasons[0]"],
      [{ reasons: ["no_match"], link_ids: [own(0)] }, "reasons"],
      [{ link_ids: [own(0), own(3)] }, "link_ids[1]"],
      [{ link_ids: [own(0), own(6)] }, "link_ids[1]"],
      [{ link_ids: ["lnk_0000000000000_0"] }, "link_ids[0]"],
    ];
    for (const [more, path] of wrong)
      for (const { code, body } of [await again(id, more), ...(isNull(more) ? [] : [await price(id, more)])])
        expect([more, code, body.issues?.[0]?.path]).toEqual([more, "invalid_request", path]);
    expect((await again(id, { reasons: ["noindex"] })).code).toBe("no_valid_urls");
    expect((await price(id, { reasons: ["noindex"] })).body).toMatchObject({ urls: 0, credits: 0 });
    expect(await balance()).toBe(before);
  });

  test("400 no_valid_urls: a project that is under way, and one that was cancelled", async () => {
    const { submit, call, again, balance } = await caller();
    const id = await submit({ urls: [page("never"), page("hour")], drip_days: 3 });
    const { body: page1 } = await call("list_links", { project_id: id });
    expect((await again(id)).code).toBe("no_valid_urls");
    const byId = await again(id, { link_ids: [page1.links[0].id] });
    expect([byId.code, byId.body.message]).toEqual([
      "invalid_request",
      "`link_ids[0]` is waiting, and only URLs that are not_indexed are sent again. Nothing was changed.",
    ]);
    await call("cancel_links", { project_id: id });
    expect((await again(id)).code).toBe("no_valid_urls");
    expect(await balance()).toBe(100);
  });

  test("404: a project of another account, also for its price; 403: a price for whoever may not send it", async () => {
    const { service, client, ended, again, price } = await caller();
    const id = await ended();
    const stranger = await caller();
    expect([(await stranger.again(id)).code, (await stranger.price(id)).code]).toEqual(["not_found", "not_found"]);
    const reader = await service.account({ scopes: ["read"] });
    expect((await client.call("estimate_cost", { project_id: id }, reader)).code).toBe("insufficient_scope");
    expect((await client.call("estimate_cost", { project_id: id })).code).toBe("not_found");
    expect((await price(id, { count: 3 })).code).toBe("invalid_request");
    expect((await again(id, { mode: "instant" })).code).toBe("invalid_request");
  });

  test("law: a key, the balance, limits and approvals hold it as any submission", async () => {
    const { service, account, ended, again, call } = await caller(14);
    const { db, clock } = service;
    const id = await ended();
    const holder = (await keysOf(db, account.id))[0]!.id;
    const limit = (limits: object) =>
      db.tx((tx) => setLimits(tx, { accountId: account.id, holder }, { ...NO_LIMITS, ...limits }));
    await limit({ perDay: 3 });
    expect((await again(id)).code).toBe("spending_limit");
    await limit({ approveAbove: 1 });
    const reasons = ["no_match", "dropped"];
    expect((await again(id, { reasons })).code).toBe("approval_required");
    const [approval] = await approvalsOf(db, account.id, 1);
    expect(JSON.parse(approval!.about)).toMatchObject({ count: 2, urls: [page("never"), page("dropped")] });
    const decision = { id: approval!.id, isApproved: true, now: clock.now() };
    await db.tx((tx) => decideApproval(tx, account.id, decision));
    expect((await again(id)).code).toBe("approval_required");
    const made = await again(id, { reasons }, "once");
    expect(made.code).toBeNull();
    const same = await again(id, { reasons }, "once");
    expect([same.replayed, same.body]).toEqual([true, made.body]);
    expect((await again(id, { reasons: ["no_match"] }, "once")).code).toBe("idempotency_mismatch");
    await limit({});
    const rest = (await call("get_account", {})).body.credits;
    await call("submit_urls", { urls: Array.from({ length: rest - 1 }, (_, no) => page("never", 100 + no)) });
    expect((await again(id)).body).toMatchObject({ code: "insufficient_credits", needed: 2, balance: 1 });
  });
});

const byReason = (one: { reason: string }, other: { reason: string }) => (one.reason < other.reason ? -1 : 1);

const isNull = (more: object) => Object.values(more).includes(null);
