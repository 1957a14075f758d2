import { and, eq, ne } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { audit } from "../src/domain/audit/audit.ts";
import { keysOf } from "../src/domain/credentials/keys.ts";
import { balanceOf } from "../src/domain/ledger/ledger.ts";
import { approvalsOf, decideApproval } from "../src/domain/spending/approvals.ts";
import { setLimits } from "../src/domain/spending/budgets.ts";
import { ACCOUNT, kindOfHolder } from "../src/domain/spending/holder.ts";
import { MAX_LIMIT, NO_LIMITS, parseLimit, type SpendingLimits } from "../src/domain/spending/limits.ts";
import { MINUTE } from "../src/platform/clock.ts";
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
    const rows = await service.db.q
      .select()
      .from(budgets)
      .where(and(eq(budgets.accountId, account.id), ne(budgets.holder, ACCOUNT)));
    for (const kind of ["credential", "person"] as const) {
      const ofKind = rows.filter((row) => kindOfHolder(row.holder) === kind);
      expect(ofKind.reduce((all, { spent }) => all + spent, 0)).toBe(sum);
    }
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

  describe("an approval", () => {
    beforeEach(() => setLimitsOf({ approveAbove: 1 }));

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
