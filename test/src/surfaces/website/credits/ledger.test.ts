import { afterAll, expect, test } from "vitest";
import { post } from "../../../../../src/domain/ledger/ledger.ts";
import { pages } from "../../../../support/database/store.ts";
import { openPaymentPage, pressButton } from "../../../../support/payments/buy-page.ts";
import { testService } from "../../../../support/service/service.ts";
import { ESCAPED, HOSTILE, projectOf } from "../../../../support/website/account-fixtures.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
const { db, clock } = service;
afterAll(() => service.close());

const PATH = "/dashboard/ledger";

/** Gives or takes credits, as an operator does. */
async function adjust(accountId: string, credits: number, source: string, description = "Adjusted by hand") {
  const entry = { accountId, kind: "adjustment", credits, source, description, now: clock.now() } as const;
  await db.tx((tx) => post(tx, entry));
}

test("200: every entry with its sign, the balance after it, and a link to its project or order", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  expect((await user.get(PATH)).text).toContain("Nothing here yet");
  const { path, orderId } = await openPaymentPage(service, user, accountId);
  await pressButton(user, path, "pay");
  const project = await projectOf(service, accountId, pages(30), { name: "Spring articles" });
  await pressButton(user, path, "refund");
  const page = await user.get(PATH);
  expect(page.text).toContain("Your balance is -30 credits: the sum of all entries.");
  expect(page.text).toMatch(
    /Adjustment, order Credits taken back for a refund −500 -30 .*Credits spent: Spring articles 30 URLs, standard −30 470 .*Credits bought, order Sandbox order: 500 credits, no money moved \+500 500 /,
  );
  expect(page.html).toContain(`<a href="/dashboard/projects/${project}">Spring articles</a>`);
  expect(page.html).toContain(`<a href="/dashboard/orders/${orderId}">order</a>`);
});

test("200: pages of 50, newest first, none of another account, descriptions escaped", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const other = await signedIn(service, { paid: false });
  await adjust(other.accountId, 7, "o", "Not mine");
  for (let n = 1; n <= 51; n++) await adjust(accountId, 1, `${n}`, `${n} ${HOSTILE}`);
  const first = await user.get(PATH);
  expect(first.html).toContain(`51 ${ESCAPED}`);
  expect(first.html).not.toMatch(/<b onclick|Not mine/);
  expect(first.html).not.toContain(`>1 ${ESCAPED}`);
  expect(first.html).toContain(`<a href="${PATH}?page=2" rel="next">`);
  const second = await user.get(`${PATH}?page=2`);
  expect(second.html).toContain(`>1 ${ESCAPED}`);
  expect(second.html).not.toContain('rel="next"');
  expect((await user.get(`${PATH}?page=999`)).text).toContain("There are no more entries");
});
