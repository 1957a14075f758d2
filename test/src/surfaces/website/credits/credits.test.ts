import { afterAll, expect, test } from "vitest";
import { DAY } from "../../../../../src/platform/clock.ts";
import { openSessionOf } from "../../../../support/database/people.ts";
import { pages } from "../../../../support/database/store.ts";
import { testChecker } from "../../../../support/service/checker.ts";
import { testService } from "../../../../support/service/service.ts";
import { ESCAPED, HOSTILE, projectOf } from "../../../../support/website/account-fixtures.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const PATH = "/dashboard/credits";

test("200 for an account without entries: says what will be shown, and where to buy", async () => {
  const { user } = await signedIn(service, { paid: false });
  const { text, html } = await user.get(PATH);
  expect(text).toContain("Your balance is 0 credits.");
  expect(text).toContain("Nothing here yet");
  expect(html).not.toContain("<svg");
});

test("200: the balance as a chart and by day, and what each project of this account spent", async () => {
  const other = await signedIn(service);
  await projectOf(service, other.accountId, pages(2), { name: "Not mine" });
  const { user, accountId } = await signedIn(service);
  await projectOf(service, accountId, pages(3, "never-indexed"), { name: HOSTILE });
  await projectOf(service, accountId, pages(5), { name: "Spring articles" });
  expect((await user.get(PATH)).text).toContain("8 credits of what you have spent are for 8 URLs not sent yet");
  await testChecker(service).until(service.clock.service() + 16 * DAY);
  // The session of the beginning has expired meanwhile.
  const now = service.clock.now();
  const sid = await service.db.tx((tx) => openSessionOf(tx, { accountId, browser: "Firefox", ip: "127.0.0.1", now }));
  user.cookies.set("sid", sid);
  const { text, html } = await user.get(PATH);
  expect(html).toMatch(/<svg class="chart whole-width"[^>]* role="img"/);
  expect(html).toMatch(/<desc id="balance-text">Between [\d,]+ and [\d,]+ credits; now [\d,]+\.<\/desc>/);
  expect(html).not.toContain("style=");
  expect(text).toContain(`Spring articles 5 2 3 ${HOSTILE} 3 3 0`);
  expect(html).toContain(ESCAPED);
  expect(text).not.toContain("Not mine");
  expect(text).not.toContain("not sent yet");
  const ledger = await user.get("/dashboard/ledger");
  expect(ledger.text).toContain(`Credits returned: ${HOSTILE} Day 14: 3 URLs were not found in Google +3`);
});

test("200 in a sandbox whose service clock has run ahead: says that the times are real ones, on the ledger too", async () => {
  const ahead = await testService();
  const { user } = await signedIn(ahead);
  for (const path of [PATH, "/dashboard/ledger"]) expect((await user.get(path)).text).not.toContain("real time");
  ahead.clock.pass(0, 3 * DAY);
  for (const path of [PATH, "/dashboard/ledger"])
    expect((await user.get(path)).text).toMatch(
      /Times on this page are in real time, .* service clock, which is 3 days ahead\./,
    );
  await ahead.close();
});
