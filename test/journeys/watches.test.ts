import { afterAll, expect, test } from "vitest";
import { urlset } from "../support/network/sitemap-server.ts";
import { testService } from "../support/service/service.ts";
import { startBrowser } from "../support/website/browser.ts";
import { PHONE } from "../support/website/pages/variants.ts";
import { signedIn } from "../support/website/user.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const browse = await startBrowser();

const pages = (count: number) => Array.from({ length: count }, (_, at) => `https://example.com/${at}`);

test.each([
  ["on a desk", {}],
  ["on a phone", PHONE],
])("%s, a sitemap is watched, read at once, and goes on by one button after a run was held", async (name, options) => {
  const { user } = await signedIn(service);
  const context = await browse(options);
  await context.addCookies([{ name: "sid", value: user.cookies.get("sid")!, url: service.url }]);
  const page = await context.newPage();
  // The first call of run_watch loads what reads sitemaps.
  page.setDefaultTimeout(30_000);
  const path = `/${name.replaceAll(" ", "-")}.xml`;
  const sitemap = service.site.serve(path, urlset(pages(30)));
  const button = (label: string) => page.getByRole("button", { name: new RegExp(`^${label}`) });
  const outcome = (words: string) => page.getByText(words, { exact: true }).first();

  await page.goto(`${service.url}/dashboard/watches`);
  await page.getByLabel("Address of the sitemap").fill(sitemap);
  await button("Look at the sitemap").click();
  await page.getByText("The sitemap lists 30 pages. It does not say when they changed.").waitFor();
  expect(await page.getByLabel("Credits a month, at most").inputValue()).toBe("50");
  await page.getByLabel("Credits a month, at most").fill("40");
  await button("Watch it").click();
  await page.getByText("The sitemap is watched. Its first run starts now.").waitFor();
  await page.getByText("0 of 40 credits spent.").waitFor();
  await button("Read it now").click();
  await page.getByText("The sitemap was read.").waitFor();
  await outcome("Done.").waitFor();

  service.site.serve(path, urlset(pages(33)));
  await button("Dry run").click();
  await page.getByRole("heading", { name: "What a run would do now" }).waitFor();
  await page.getByText("A run would submit 3 pages.").waitFor();
  const told = page.locator("#dry-run");
  for (const words of ["New3", "Changed0", "Gone0", "Same30", "Would cost3 credits", "Left of the month40 credits"])
    expect((await told.textContent())!).toContain(words);
  await told.getByText("https://example.com/30", { exact: true }).waitFor();
  await page.getByText("0 of 40 credits spent.").waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);

  service.site.serve(path, urlset(pages(5)));
  await button("Read it now").click();
  await page.getByText("This watch waits for you.").waitFor();
  await page.getByText(/0 new, 0 changed and 25 removed of 30 known pages/).waitFor();
  await outcome("Held. Many pages vanished.").waitFor();
  await button("This is right: continue").click();
  await page.getByText("The watch continues.", { exact: true }).waitFor();
  expect(await button("This is right: continue").count()).toBe(0);

  await page.goto(`${service.url}/dashboard/watches`);
  await page.getByText("5 pages").waitFor();
  const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  expect(content).toBeLessThanOrEqual(width!);
});
