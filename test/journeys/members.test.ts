import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { PATHS } from "../../src/surfaces/website/shell/addresses.ts";
import { testService } from "../support/service/service.ts";
import { startBrowser } from "../support/website/browser.ts";
import { member, PASSWORD } from "../support/website/member.ts";
import { PHONE } from "../support/website/pages/variants.ts";
import { signedIn } from "../support/website/user.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const browse = await startBrowser();

/** Pages on which a manager does something. */
const WORK = [PATHS.people, PATHS.keys, PATHS.newProject, PATHS.webhooks];

/** How many buttons each page of work has that change something. */
async function buttonsOn(page: Page): Promise<number[]> {
  const counts = [];
  for (const path of WORK) {
    await page.goto(`${service.url}${path}`);
    counts.push(await page.locator("main form[method=post] button").count());
  }
  return counts;
}

test.each([
  ["on a desk", "They end", {}],
  ["on a phone", "They go to", PHONE],
])("%s: invited by mail, joined, lowered, and removed, when what was made is chosen: %s", async (_, made, options) => {
  const owner = await signedIn(service);
  const guest = await member(service);
  const ownPage = await (await browse(options)).newPage();
  await ownPage.context().addCookies([{ name: "sid", value: owner.user.cookies.get("sid")!, url: service.url }]);
  await ownPage.goto(`${service.url}${PATHS.people}`);
  const invitation = ownPage.locator("form", { hasText: "Send the invitation" });
  await invitation.getByLabel("E-mail address").fill(guest.email);
  await invitation.getByRole("radio", { name: "manager" }).check();
  await invitation.getByRole("button").click();
  await ownPage.getByText("The invitation is sent.").waitFor();

  // The mail leads to the sign-in, and from there to the invitation.
  const mail = service.outbox.findLast(({ to }) => to === guest.email)!;
  const page = await (await browse(options)).newPage();
  await page.goto(service.url + new URL(/http\S+/.exec(mail.text)![0]).pathname);
  await page.getByLabel("E-mail address").fill(guest.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Join the account" }).click();
  await page.waitForURL(`${service.url}${PATHS.overview}`);
  const asManager = await buttonsOn(page);
  for (const count of asManager) expect(count).toBeGreaterThan(0);
  await page.goto(`${service.url}${PATHS.keys}`);
  await page.getByLabel("Name").fill("theirs");
  await page.getByRole("button", { name: "Create key" }).click();
  const key = (await page.locator("pre.key code").first().textContent())!;
  const statusOf = async () => (await service.request("GET", "/account", { key })).status;
  expect(await statusOf()).toBe(200);

  // A viewer reads, and may leave: the same pages have no other button that changes anything.
  await ownPage.goto(`${service.url}${PATHS.people}`);
  const role = ownPage.locator("form", { hasText: `Change the role of ${guest.email}` });
  await role.getByRole("radio", { name: "viewer" }).check();
  await role.getByRole("button").click();
  await ownPage.getByText("The role is changed.").waitFor();
  expect(await buttonsOn(page)).toEqual([1, 0, 0, 0]);
  await page.goto(`${service.url}${PATHS.people}`);
  expect(await page.locator("main form[method=post] button").textContent()).toBe("Leave the account");
  expect((await service.request("POST", "/projects", { key, body: { urls: ["https://example.com/"] } })).status).toBe(
    403,
  );

  // The person goes, and what was made ends or is the owner's.
  await ownPage.goto(`${service.url}${PATHS.people}`);
  await ownPage.getByText("Remove", { exact: true }).click();
  const removal = ownPage.locator("form", { hasText: `Remove ${guest.email}` });
  await removal.getByRole("radio", { name: made }).check();
  await removal.getByRole("button").click();
  await ownPage.getByText("The person is removed.").waitFor();
  expect(await statusOf()).toBe(made === "They end" ? 401 : 200);
  await page.goto(`${service.url}${PATHS.keys}`);
  expect(new URL(page.url()).pathname).toBe("/sign-in");
  expect(service.outbox.at(-1)).toMatchObject({ to: guest.email });
});
