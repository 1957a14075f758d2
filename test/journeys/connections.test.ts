import { afterAll, expect, test } from "vitest";
import { liveService } from "../support/service/live-service.ts";
import { startBrowser } from "../support/website/browser.ts";
import { CONNECTIONS, googlePerson } from "../support/website/connections.ts";
import { PHONE } from "../support/website/pages/variants.ts";
import { signedIn } from "../support/website/user.ts";

const live = await liveService("speedyindex,serper");
afterAll(() => live.close());
const browse = await startBrowser();
// Google leads back to the address of the service, which the browser reaches only as it is.
Object.assign(live.service.config, { siteUrl: live.service.url });

test.each([
  ["on a desk", {}],
  ["on a phone", PHONE],
])("%s, two clicks lead from “Connect” to the properties, and two end the connection", async (name, options) => {
  const { user } = await signedIn(live.service);
  const person = googlePerson(live, `ann-${name.replaceAll(" ", "-")}@gmail.example`, {
    "sc-domain:example.com": "siteOwner",
    "https://www.example.net/a-rather-long-path-of-a-blog/with-more-of-it/": "siteFullUser",
  });
  const context = await browse(options);
  await context.addCookies([{ name: "sid", value: user.cookies.get("sid")!, url: live.service.url }]);
  const page = await context.newPage();
  await page.goto(`${live.service.url}${CONNECTIONS}`);
  await page.getByRole("button", { name: "Connect Search Console" }).click();
  await page.getByRole("link", { name: `Allow as ${person}`, exact: true }).click();
  await page.getByText("It is connected.").waitFor();
  await page.getByText("sc-domain:example.com").waitFor();
  expect(page.url()).not.toContain("code=");
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);

  await page.getByText("Disconnect", { exact: true }).click();
  await page.getByRole("button", { name: `Disconnect ${person}` }).click();
  await page.getByText("It is disconnected.").waitFor();
  expect(await page.getByText("sc-domain:example.com").count()).toBe(0);
  expect(live.world.googleRevoked).toContain(person);
});
