import { afterAll, expect, test } from "vitest";
import { pages } from "../../../../support/database/store.ts";
import { openPaymentPage, pressButton } from "../../../../support/payments/buy-page.ts";
import { testService } from "../../../../support/service/service.ts";
import { connected, HOSTILE, projectOf } from "../../../../support/website/account-fixtures.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

test("200 for a new account: first steps, with commands for this deployment", async () => {
  const { user } = await signedIn(service, { paid: false });
  const { text, html } = await user.get("/dashboard");
  expect(text).toContain("You have not bought credits yet");
  expect(html).toContain('<a href="/dashboard/buy">buy your first pack of credits</a>');
  expect(html).toContain('<li><a href="/dashboard/buy">Buy credits</a>');
  expect(text).toContain("First steps");
  expect(text).toContain("claude mcp add --transport http beckon http://beckon.test/mcp");
  expect(text).toContain("curl http://beckon.test/api/v1/projects");
  expect(text).toContain("0 API keys");
});

test("200: balance, unsent credits, usage of today, projects and connections of this account only", async () => {
  const { user, accountId } = await signedIn(service);
  const other = await signedIn(service);
  const urls = Array.from({ length: 30 }, (_, n) => `https://example.com/${n}`);
  await projectOf(service, accountId, urls, { name: HOSTILE });
  await projectOf(service, other.accountId, urls, { name: "Not mine" });
  await connected(service, accountId);
  await connected(service, accountId, { kind: "agent" });
  await connected(service, accountId, { kind: "agent" });
  await connected(service, other.accountId);
  const { db, clock } = service;
  const day = Math.floor(clock.now() / 86_400_000);
  await db.tx((tx) => tx.q.insert(tx.t.usage).values({ accountId, day, requests: 1_234, submissions: 7 }).returning());

  const { text, html } = await user.get("/dashboard");
  expect(text).toContain("120 credits");
  expect(text).toContain("30 credits spent on unsent URLs");
  expect(text).toContain("1,234 of 20,000 requests today");
  expect(text).toContain("7 of 500 submissions today");
  expect(text).toContain(HOSTILE);
  expect(html).not.toContain("<b onclick");
  expect(text).not.toContain("Not mine");
  expect(text).toContain("1 app and 2 agents");
  expect(text).not.toContain("First steps");
  expect(text).not.toContain("Nothing was bought");
  expect(text).toContain("5 Jan 2026");
  expect(html).toContain(
    '<time datetime="2026-01-05T12:00:00.000Z" title="5\u00a0Jan\u00a02026, 12:00\u00a0UTC" data-local="day">',
  );
});

test("200 without credits: links to buy more", async () => {
  const { user, accountId } = await signedIn(service);
  await projectOf(
    service,
    accountId,
    Array.from({ length: 150 }, (_, n) => `https://example.com/${n}`),
  );
  expect((await user.get("/dashboard")).text).toContain("You have no credits left. Buy a pack");
});

test("200 below zero: why, what is held until then, and how to get out of it", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const { path } = await openPaymentPage(service, user, accountId, "basic");
  await pressButton(user, path, "pay");
  await projectOf(service, accountId, pages(30));
  await pressButton(user, path, "dispute");
  const { text, html } = await user.get("/dashboard");
  expect(text).toContain("Your balance is 30 credits below zero");
  expect(text).toContain("a payment was refunded or disputed whose credits were spent already");
  expect(text).toContain(
    "Until the balance is zero or more, you cannot submit anything, and waiting URLs are not sent.",
  );
  expect(text).toContain("-30 credits");
  expect(html).toContain('role="alert"');
  expect(text).not.toMatch(/You have not bought|You have no credits left/);
  await pressButton(user, path, "win");
  expect((await user.get("/dashboard")).text).not.toContain("below zero");
});
