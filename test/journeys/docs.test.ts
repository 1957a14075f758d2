import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { operations } from "../../tools/index.ts";
import { sampleOf } from "../support/checks/fuzz-runs.ts";
import { DIRECT } from "../support/payments/fake-direct-payments.ts";
import { testService } from "../support/service/service.ts";
import { startBrowser } from "../support/website/browser.ts";
import { WHOLE_WIDTH } from "../support/website/layout-rules.ts";

const service = await testService({
  publishUrl: true,
  config: { direct: DIRECT },
  payments: { cards: null, direct: null },
});
afterAll(() => service.close());
const browse = await startBrowser();

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

interface OpenOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly javaScriptEnabled?: boolean;
  readonly bypassCSP?: boolean;
}

async function open(path: string, options: OpenOptions = {}): Promise<Page> {
  const page = await (await browse({ viewport: DESK, ...options })).newPage();
  await page.goto(`${service.url}${path}`);
  return page;
}

const results = (page: Page) => page.locator(".docs-results a");

describe("the search", () => {
  test("leads from / through the arrow keys to a page, by the keyboard alone, within what the policy allows", async () => {
    const page = await open("/docs/concepts");
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    await page.keyboard.press("/");
    await page.keyboard.type("cancel links");
    await results(page).first().waitFor();
    expect(await page.getByRole("status").textContent()).toMatch(/^\d results\. The arrow keys lead to them\.$/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    expect(await page.locator(":focus strong").textContent()).toBe("cancel_links");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${service.url}/docs/operations/cancel_links`);
    expect(complaints).toEqual([]);
  });

  test("Escape closes it, and leads back to the field", async () => {
    const page = await open("/docs");
    await page.keyboard.press("/");
    await page.keyboard.type("drip");
    await results(page).first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Escape");
    expect(await results(page).first().isVisible()).toBe(false);
    expect(await page.locator(":focus").getAttribute("name")).toBe("q");
  });

  test("says that nothing is found, and / is a letter in the field", async () => {
    const page = await open("/docs");
    await page.keyboard.press("/");
    await page.keyboard.type("zebra/zebra");
    await page.getByText("Nothing is found for “zebra/zebra”.").waitFor();
  });

  test.each([true, false])(
    "Enter in the field leads to the page of results; scripts: %s",
    async (javaScriptEnabled) => {
      const page = await open("/docs/limits", { javaScriptEnabled, viewport: PHONE });
      await page.getByRole("searchbox", { name: "Search the docs" }).fill("backup");
      await page.keyboard.press("Enter");
      await page.waitForURL(`${service.url}/docs/search?q=backup`);
      await page.getByRole("link", { name: "Operating: Backing up SQLite" }).click();
      await page.waitForURL(`${service.url}/docs/operating#backing-up-sqlite`);
    },
  );

  test("a browser that is offline when the field is used searches when it is online again", async () => {
    const page = await open("/docs");
    await page.context().setOffline(true);
    await Promise.all([page.waitForEvent("requestfailed"), page.keyboard.press("/")]);
    await page.keyboard.type("drip");
    await page.context().setOffline(false);
    await page.getByRole("link", { name: "How indexing works: Drip" }).waitFor();
  });
});

describe("the tabs of an example", () => {
  const code = (page: Page) => page.locator(".tab:visible pre code").textContent();

  test("are chosen by the arrow keys, and remembered on the next page", async () => {
    const page = await open("/docs/operations/submit_urls");
    expect(await code(page)).toMatch(/^curl /);
    await page.getByRole("radio", { name: "curl" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await code(page)).toMatch(/^import json/);
    await page.goto(`${service.url}/docs/operations/list_links`);
    expect(await code(page)).toMatch(/^import os/);
    expect(await page.getByRole("radio", { name: "Python" }).isChecked()).toBe(true);
  });

  test("work without a script", async () => {
    const page = await open("/docs/operations/submit_urls", { javaScriptEnabled: false });
    for (const [name, start] of [
      ["JavaScript", "const response"],
      ["Python", "import json"],
      ["MCP", "{"],
      ["A2A", "{"],
      ["curl", "curl "],
    ] as const) {
      await page.locator(".tabs label").getByText(name, { exact: true }).click();
      expect((await code(page))?.startsWith(start), name).toBe(true);
    }
  });

  test("an address names one of them", async () => {
    const page = await open("/docs/operations/submit_urls#a2a");
    expect(await code(page)).toContain('"SendMessage"');
  });
});

test("a block of code is copied as it is shown, without its colours", async () => {
  const page = await open("/docs/operations/submit_urls");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator(".tab:visible").getByRole("button", { name: "Copy" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate("navigator.clipboard.readText()");
  expect(copied).toBe(await page.locator(".tab:visible pre code").textContent());
  expect(copied).toMatch(/^curl /);
});

test("the navigation stays next to a long page, and shows the page that is open", async () => {
  const page = await open("/docs/operations/get_order");
  await page.evaluate("scrollTo(0, document.body.scrollHeight)");
  const current = page.locator(".docs-nav [aria-current]");
  expect(await current.textContent()).toBe("get_order");
  const { y } = (await current.boundingBox())!;
  expect(y > 0 && y < DESK.height).toBe(true);
});

test("on a phone a button opens the navigation over the page, and Escape closes it", async () => {
  const page = await open("/docs/limits", { viewport: PHONE });
  const nav = page.getByRole("navigation", { name: "Docs", exact: true });
  expect(await nav.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Menu" }).click();
  await nav.waitFor();
  expect(await page.evaluate(WHOLE_WIDTH)).toBe(PHONE.width);
  await page.keyboard.press("Escape");
  await nav.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Menu" }).click();
  await nav.getByRole("link", { name: "Sandbox" }).click();
  await page.waitForURL(`${service.url}/docs/sandbox`);
});

test("law: the page of an operation is at most 2,500 px high on a desk, and as wide as a phone there", async () => {
  const page = await open("/docs");
  const heights: Record<string, number> = {};
  for (const { name } of sampleOf(operations, 6)) {
    await page.setViewportSize(DESK);
    await page.goto(`${service.url}/docs/operations/${name}`);
    heights[name] = (await page.evaluate("document.documentElement.scrollHeight")) as number;
    await page.setViewportSize(PHONE);
    expect(await page.evaluate(WHOLE_WIDTH), name).toBe(PHONE.width);
  }
  const high = Object.entries(heights).filter(([, height]) => height > 2_500);
  expect(Object.fromEntries(high)).toEqual({});
});

const KINDS = [
  ["/docs", 200],
  ["/docs/quickstart/javascript", 200],
  ["/docs/operating", 200],
  ["/docs/operations/submit_sitemap", 200],
  ["/docs/operations/get_link", 200],
  ["/docs/errors/insufficient_credits", 200],
  ["/docs/search?q=submit", 200],
  ["/docs/operations/submit_url", 404],
] as const;

// `test/pages.test.ts` has a page of each kind, without the rules that are off by default.
test.each(sampleOf(KINDS, 1))(
  "law: no rule of axe is broken, in any colour scheme, on a desk or a phone: %s",
  async (path, status) => {
    const page = await open("/docs", { bypassCSP: true });
    const response = await page.goto(`${service.url}${path}`);
    expect(response!.status()).toBe(status);
    await page.addScriptTag({ content: axe.source });
    for (const [colorScheme, viewport] of [
      ["light", DESK],
      ["dark", PHONE],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      expect(await page.evaluate(VIOLATIONS), `${colorScheme} ${viewport.width}`).toEqual([]);
      expect(await page.evaluate(WHOLE_WIDTH)).toBe(viewport.width);
    }
  },
);

test("law: no rule of axe is broken while results are shown", async () => {
  const page = await open("/docs/operations/list_links", { bypassCSP: true });
  await page.addScriptTag({ content: axe.source });
  await page.keyboard.press("/");
  await page.keyboard.type("submit");
  await results(page).first().waitFor();
  expect(await page.evaluate(VIOLATIONS)).toEqual([]);
});

/** With every rule that axe has, also those that are off by default; but AA is what we promise, not AAA. */
const VIOLATIONS = `axe.run({ rules: Object.fromEntries(axe.getRules()
    .map(({ ruleId, tags }) => [ruleId, { enabled: !tags.includes("wcag2aaa") }])) })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`;
