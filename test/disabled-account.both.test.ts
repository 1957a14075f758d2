import { afterAll, beforeAll, expect, test } from "vitest";
import { setDisabled } from "../src/domain/accounts/disable.ts";
import { post } from "../src/domain/ledger/ledger.ts";
import { timesOf } from "../src/platform/clock.ts";
import { type TestService, testService } from "./support/service/service.ts";
import { SURFACES } from "./support/service/surface-client.ts";

const REASON = "Complaints about your pages reached us.";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const set = (accountId: string, reason: string | null) =>
  service.db.tx((tx) => setDisabled(tx, { accountId, reason, times: timesOf(service.clock) }));

const balance = async (id: string) =>
  (await service.db.q.select().from(service.db.t.accounts)).find((row) => row.id === id)!.credits;

const SPENDS = [
  ["submit_urls", { urls: ["https://example.com/"] }],
  ["check_urls", { urls: ["https://example.com/"] }],
  ["submit_sitemap", { sitemap_url: "https://example.com/sitemap.xml" }],
  ["watch_sitemap", { sitemap_url: "https://example.com/sitemap.xml" }],
  ["buy_credits", { pack: "basic" }],
  ["notify_urls", { urls: ["https://example.com/"], event: "updated" }],
] as const;

test.each(Object.keys(SURFACES).flatMap((surface) => SPENDS.map(([name, input]) => [surface, name, input] as const)))(
  "403 spending_limit over %s: %s of a disabled account says why, and nothing is spent or bought",
  async (surface, name, input) => {
    const { id, key } = await service.account();
    await set(id, REASON);
    const client = SURFACES[surface]!(service);
    const { code, body } = await client.call(name, input, { key });
    expect(code).toBe("spending_limit");
    expect(body).toMatchObject({ limit: "account_disabled", remaining: 0, resets_at: null, reason: REASON });
    expect(body.message).toContain(REASON);
    expect(await balance(id)).toBe(150);
    expect((await client.call("get_account", {}, { key })).body.credits).toBe(150);
    await client.close();
  },
);

test("an account that is enabled again spends", async () => {
  const { id, key } = await service.account();
  const submit = () => service.request("POST", "/projects", { key, body: { urls: ["https://example.com/"] } });
  await set(id, REASON);
  expect((await submit()).status).toBe(403);
  await set(id, null);
  expect((await submit()).status).toBe(201);
});

test("law: a call that was admitted before the account was disabled spends nothing: the transaction asks", async () => {
  const { id } = await service.account();
  await set(id, REASON);
  const spend = { accountId: id, kind: "spend", credits: -1, source: "x", description: "x", now: 1 } as const;
  await expect(service.db.tx((tx) => post(tx, spend))).rejects.toMatchObject({
    code: "spending_limit",
    fields: { limit: "account_disabled", needed: 1, reason: REASON },
  });
  // What comes back to the account is booked.
  expect(await service.db.tx((tx) => post(tx, { ...spend, kind: "return", credits: 1 }))).toBe(151);
});
