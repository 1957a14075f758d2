import { afterAll, expect, test } from "vitest";
import { testService } from "../../../../support/service/service.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

test("200: what the account has used of its daily limits today, and nothing of another day or account", async () => {
  const { user, accountId } = await signedIn(service);
  const other = await signedIn(service);
  const { db, clock } = service;
  const day = Math.floor(clock.now() / 86_400_000);
  const rows = [
    { accountId, day, requests: 1_234, submissions: 7 },
    { accountId, day: day - 1, requests: 99, submissions: 99 },
    { accountId: other.accountId, day, requests: 88, submissions: 88 },
  ];
  await db.tx((tx) => tx.q.insert(tx.t.usage).values(rows).returning());
  const { text, html } = await user.get("/dashboard/usage");
  expect(text).toContain("1,234 of 20,000");
  expect(text).toContain("7 of 500");
  expect(html).toContain('<progress value="1234" max="20000" aria-label="Requests">');
  expect(text).not.toMatch(/\b(?:99|88) of/);
});
