import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { audit } from "../src/domain/audit/audit.ts";
import { createKey, keysOf } from "../src/domain/credentials/keys.ts";
import { relayEvents } from "../src/domain/events/relay.ts";
import { balanceOf } from "../src/domain/ledger/ledger.ts";
import { noticeConsumer } from "../src/domain/notices/queue-notices.ts";
import { approvalsOf, decideApproval } from "../src/domain/spending/approvals.ts";
import { budgetOf, setLimits } from "../src/domain/spending/budgets.ts";
import { MAX_LIMIT, NO_LIMITS, parseLimit, type SpendingLimits } from "../src/domain/spending/limits.ts";
import { DAY, HOUR, MINUTE } from "../src/platform/clock.ts";
import { secretBoxOf } from "../src/platform/config/secrets-key.ts";
import { urlset } from "./support/network/sitemap-server.ts";
import { appOf, CLIENT } from "./support/oauth/app.ts";
import { type TestService, testService } from "./support/service/service.ts";
import { type CallResult, SURFACES, type SurfaceClient } from "./support/service/surface-client.ts";

const URLS = ["https://example.com/1", "https://example.com/2"];

describe.each(Object.keys(SURFACES))("%s", (surface) => {
  let service: TestService;
  let client: SurfaceClient;
  beforeAll(async () => {
    service = await testService();
    client = SURFACES[surface]!(service);
  });
  afterAll(async () => {
    expect((await audit(service.db)).problems).toEqual([]);
    await client.close();
    await service.close();
  });

  let account: { id: string; key: string };
  let holder: string;
  beforeEach(async () => {
    service.clock.pass(MINUTE);
    account = await service.account();
    holder = (await keysOf(service.db, account.id))[0]!.id;
  });
  afterEach(async () => {
    const spends = (await service.db.q.select().from(service.db.t.ledger)).filter(({ kind }) => kind === "spend");
    const sum = spends
      .filter(({ accountId }) => accountId === account.id)
      .reduce((all, { credits }) => all - credits, 0);
    const { budgets } = service.db.t;
    const rows = await service.db.q.select().from(budgets).where(eq(budgets.accountId, account.id));
    expect(rows.reduce((all, { spent }) => all + spent, 0)).toBe(sum);
  });

  const setLimitsOf = (limits: Partial<SpendingLimits>, more: { holder?: string; expiresAt?: number } = {}) => {
    const { holder: whose = holder, ...end } = more;
    const terms = { ...NO_LIMITS, ...limits, ...end };
    return service.db.tx((tx) => setLimits(tx, { accountId: account.id, holder: whose }, terms));
  };
  const submit = (more: object = {}, key = account.key) => client.call("submit_urls", { urls: URLS, ...more }, { key });
  const codeOf = async (more: object = {}, key = account.key) => (await submit(more, key)).code;
  const spent = async () => 150 - (await balanceOf(service.db, account.id));
  const newest = async (accountId = account.id) => (await approvalsOf(service.db, accountId, 1))[0]!;
  const decide = (id: string, accountId = account.id) => {
    const decision = { id, isApproved: true, now: service.clock.now() };
    return service.db.tx((tx) => decideApproval(tx, accountId, decision));
  };

  /** Submits a sitemap of two pages. While it is being read, `meanwhile` happens. */
  async function submitSlowly(meanwhile: () => Promise<unknown>, key = account.key) {
    const sitemap_url = service.site.serve("/slow.xml", (res) => {
      const answer = () => res.writeHead(200, { "Content-Type": "application/xml" }).end(urlset(URLS));
      void meanwhile().finally(answer);
    });
    return client.call("submit_sitemap", { sitemap_url }, { key });
  }

  /** A 401 says where a credential can be had (RFC 9728), also when the one that was sent ended in mid-call. */
  function expectChallenge({ code, status, headers }: CallResult): void {
    expect([code, status]).toEqual(["unauthorized", 401]);
    expect(headers.get("www-authenticate")).toContain(`/.well-known/oauth-protected-resource${client.resource}"`);
  }

  test("bad input: a limit that is lowered in mid-call holds for that call", async () => {
    await setLimitsOf({ perDay: 100 });
    expect((await submitSlowly(() => setLimitsOf({ perDay: 1 }))).code).toBe("spending_limit");
    expect(await spent()).toBe(0);
  });

  test("bad input: approve_above that is lowered in mid-call asks for that call", async () => {
    expect((await submitSlowly(() => setLimitsOf({ approveAbove: 1 }))).code).toBe("approval_required");
    expect(await spent()).toBe(0);
  });

  test("bad input: a key that ends in mid-call spends nothing", async () => {
    const { apiKeys } = service.db.t;
    const end = () =>
      service.db.tx(async ({ q }) => {
        await q.update(apiKeys).set({ expiresAt: service.clock.now() }).where(eq(apiKeys.id, holder));
      });
    expectChallenge(await submitSlowly(end));
    expect(await spent()).toBe(0);
  });

  test("bad input: an app that ends in mid-call spends nothing", async () => {
    const { accountId, access } = await appOf(service).connected();
    account = { id: accountId, key: access };
    const end = () => setLimitsOf({}, { holder: CLIENT, expiresAt: service.clock.now() });
    expectChallenge(await submitSlowly(end));
    expect(await spent()).toBe(0);
  });

  test("bad input: credits that come back refill no limit", async () => {
    await setLimitsOf({ total: 2 });
    const { body } = await submit();
    await client.call("cancel_links", { project_id: body.project.id }, { key: account.key });
    expect(await spent()).toBe(0);
    expect(await codeOf({ name: "again" })).toBe("spending_limit");
  });

  test("bad input: a clock over midnight begins a new day, and one that goes back gives none twice", async () => {
    await setLimitsOf({ perDay: 2 });
    const now = service.clock.now();
    service.clock.pass(DAY - (now % DAY) - 1);
    expect([await codeOf(), await codeOf({ name: "2" })]).toEqual([null, "spending_limit"]);
    service.clock.pass(1);
    expect([await codeOf({ name: "3" }), await codeOf({ name: "4" })]).toEqual([null, "spending_limit"]);
    service.clock.pass(-HOUR);
    expect(await codeOf({ name: "5" })).toBe("spending_limit");
    service.clock.pass(HOUR);
    expect(await spent()).toBe(4);
  });

  test("bad input: of forty calls at once with one left, one goes through", async () => {
    await setLimitsOf({ total: 1 });
    const codes = await Promise.all(
      Array.from({ length: 40 }, (_, index) => codeOf({ urls: [URLS[0]], name: `${index}` })),
    );
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(codes.filter((code) => code === "spending_limit")).toHaveLength(39);
    expect(await spent()).toBe(1);
  });

  describe("an approval", () => {
    beforeEach(() => setLimitsOf({ approveAbove: 1 }));

    test("bad input: used twice, it is used once", async () => {
      await submit();
      expect(await decide((await newest()).id)).toBe("decided");
      expect([await codeOf(), await codeOf()]).toEqual([null, "approval_required"]);
      expect(await spent()).toBe(2);
    });

    test("bad input: two yeses at once are one", async () => {
      await submit();
      const { id } = await newest();
      expect((await Promise.all([decide(id), decide(id)])).sort()).toEqual(["decided", "over"]);
      expect([await codeOf(), await codeOf()]).toEqual([null, "approval_required"]);
      expect(await spent()).toBe(2);
    });

    test.each([
      ["for another body", { urls: ["https://example.com/1", "https://example.com/3"] }],
      ["for one URL more", { urls: [...URLS, "https://example.com/3"] }],
      ["for another name", { name: "Other" }],
    ])("bad input: %s it is not used", async (_what, input) => {
      await submit();
      await decide((await newest()).id);
      expect(await codeOf(input)).toBe("approval_required");
      expect(await spent()).toBe(0);
      expect(await codeOf()).toBeNull();
    });

    test("bad input: by another credential of the account it is not used", async () => {
      await submit();
      await decide((await newest()).id);
      const now = service.clock.now();
      const other = await service.db.tx((tx) =>
        createKey(tx, { accountId: account.id, name: "other", mode: "sandbox", now }),
      );
      const { id } = (await keysOf(service.db, account.id)).find(({ name }) => name === "other")!;
      await setLimitsOf({ approveAbove: 1 }, { holder: id });
      expect(await codeOf({}, other)).toBe("approval_required");
      expect(await spent()).toBe(0);
      expect(await codeOf()).toBeNull();
    });

    test("bad input: by another account it is neither given nor used", async () => {
      await submit();
      const { id } = await newest();
      const other = await service.account();
      const otherHolder = (await keysOf(service.db, other.id))[0]!.id;
      const limits = { ...NO_LIMITS, approveAbove: 1 };
      await service.db.tx((tx) => setLimits(tx, { accountId: other.id, holder: otherHolder }, limits));
      expect(await decide(id, other.id)).toBe("unknown");
      expect(await codeOf()).toBe("approval_required");
      await decide(id);
      expect(await codeOf({}, other.key)).toBe("approval_required");
      expect(await balanceOf(service.db, other.id)).toBe(150);
      expect((await newest(other.id)).id).not.toBe(id);
    });

    test("bad input: after its time it is neither given nor used", async () => {
      await submit();
      const { id } = await newest();
      service.clock.pass(DAY);
      expect(await decide(id)).toBe("over");
      expect(await codeOf()).toBe("approval_required");
      await decide((await newest()).id);
      service.clock.pass(DAY);
      expect(await codeOf()).toBe("approval_required");
      expect(await spent()).toBe(0);
    });

    test("bad input: an agent that asks over and over has ten questions, and its person one mail", async () => {
      for (let call = 0; call < 60; call++) await submit({ name: `${call % 15}` });
      const { mailer, config, db, outbox, clock } = service;
      const { accounts } = db.t;
      const verified = { verifiedAt: clock.now() };
      await db.tx(async ({ q }) => void (await q.update(accounts).set(verified).where(eq(accounts.id, account.id))));
      const before = outbox.length;
      const notices = noticeConsumer({ mailer, siteUrl: config.siteUrl, seller: [], secretBox: secretBoxOf(config) });
      await relayEvents(db, [notices], () => clock.now());
      expect(await approvalsOf(db, account.id, 100)).toHaveLength(10);
      const asked = outbox.slice(before).filter(({ text }) => text.includes("/dashboard/approvals/"));
      expect(asked).toHaveLength(1);
      expect(await spent()).toBe(0);
    });
  });

  test("200: a budget that was never limited counts what was spent", async () => {
    await submit();
    expect((await budgetOf(service.db, { accountId: account.id, holder }))!.spent).toBe(2);
  });
});

describe("limits as a person types them", () => {
  test.each([
    "-1",
    "-0",
    "+1",
    "1.5",
    "1,5",
    "1e3",
    "0x10",
    "NaN",
    "Infinity",
    "1 000",
    "٣",
    String(MAX_LIMIT + 1),
    "9".repeat(400),
  ])("bad input: %s is no limit", (typed) => expect(parseLimit(typed)).toBeUndefined());

  test.each([
    ["0", 0],
    [" 25 ", 25],
    ["007", 7],
    [String(MAX_LIMIT), MAX_LIMIT],
    ["", null],
  ])("%j is a limit or none", (typed, limit) => expect(parseLimit(typed)).toBe(limit));
});
