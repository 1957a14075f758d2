import { afterAll, expect, test } from "vitest";
import { pages } from "../../../../support/database/store.ts";
import { openPaymentPage, pressButton } from "../../../../support/payments/buy-page.ts";
import { testService } from "../../../../support/service/service.ts";
import { HOSTILE, projectOf } from "../../../../support/website/account-fixtures.ts";
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
  expect(text).not.toMatch(/What needs you|Your pages in Google/);
});

test("200: the projects of this account only, with names as their callers chose them, and nothing that needs its reader", async () => {
  const { user, accountId } = await signedIn(service);
  const other = await signedIn(service);
  await projectOf(service, accountId, pages(30), { name: HOSTILE });
  await projectOf(service, other.accountId, pages(30), { name: "Not mine" });
  const { text, html } = await user.get("/dashboard");
  expect(text).toContain("120 credits");
  expect(text).toContain("Nothing needs you now");
  expect(text).toContain(HOSTILE);
  expect(html).not.toContain("<b onclick");
  expect(text).not.toMatch(/Not mine|First steps|You have not bought/);
  expect(html).toContain(
    '<time datetime="2026-01-05T12:00:00.000Z" title="5\u00a0Jan\u00a02026, 12:00\u00a0UTC" data-local="day">',
  );
});

test("200 without credits: links to buy more", async () => {
  const { user, accountId } = await signedIn(service);
  await projectOf(service, accountId, pages(150));
  expect((await user.get("/dashboard")).text).toContain("You have no credits left");
});

test("200 below zero: why, what is held until then, and how to get out of it", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const { path } = await openPaymentPage(service, user, accountId, "basic");
  await pressButton(user, path, "pay");
  await projectOf(service, accountId, pages(30));
  await pressButton(user, path, "dispute");
  const { text, html } = await user.get("/dashboard");
  expect(text).toContain("Your balance is 30 credits below zero");
  expect(text).toContain("A payment was refunded or disputed whose credits were spent already");
  expect(text).toContain(
    "Until the balance is zero or more, you cannot submit anything, and waiting URLs are not sent.",
  );
  expect(html).toContain('<a href="/dashboard/buy">Buy a pack</a>');
  expect(text).not.toMatch(/You have not bought|You have no credits left/);
  await pressButton(user, path, "win");
  expect((await user.get("/dashboard")).text).not.toContain("below zero");
});
