import { afterAll, expect, test } from "vitest";
import { testService } from "../../../../support/service/service.ts";
import { startBrowser } from "../../../../support/website/browser.ts";

const service = await testService();
afterAll(() => service.close());
const browse = await startBrowser();

/** Injected into the front page; whatever runs adds to the title. */
const PLANTED = `<script>document.title += "+inline"</script><script src="https://elsewhere.example/planted.js"></script>
<img src="data:image/gif;base64,x" onerror="document.title += '+handler'"><p id="styled" style="color:red">Red</p>`;

for (const [law, bypassCSP] of [
  ["no script runs, even if one was injected into a page", false],
  ["without the policy the injected scripts would run", true],
] as const) {
  test(law, async () => {
    const context = await browse({ bypassCSP });
    const page = await context.newPage();
    await page.route("https://elsewhere.example/planted.js", (route) =>
      route.fulfill({ contentType: "text/javascript", body: 'document.title += "+file"' }),
    );
    await page.route(`${service.url}/`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace("</main>", `${PLANTED}</main>`) });
    });
    await page.goto(`${service.url}/`);
    const title = await page.title();
    for (const way of ["+inline", "+file", "+handler"]) expect([way, title.includes(way)]).toEqual([way, bypassCSP]);
    const isRed = (await page.evaluate("getComputedStyle(styled).color")) === "rgb(255, 0, 0)";
    expect(isRed).toBe(bypassCSP);
  });
}

for (const [colorScheme, paper] of [
  ["light", "rgb(255, 255, 255)"],
  ["dark", "rgb(20, 23, 26)"],
] as const) {
  test(`the style of a page is applied, ${colorScheme}, and nothing of it is blocked`, async () => {
    const context = await browse({ colorScheme, viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => void complaints.push(message.text()));
    await page.goto(`${service.url}/pricing`);
    expect(await page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth")).toBe("1152px");
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(paper);
    expect(complaints).toEqual([]);
  });
}

test("a phone shows a page without scrolling sideways", async () => {
  const context = await browse({ viewport: { width: 390, height: 844 }, isMobile: true });
  const page = await context.newPage();
  for (const path of ["/", "/pricing", "/docs/errors", "/docs/limits", "/docs/operations/submit_urls", "/bot"]) {
    await page.goto(`${service.url}${path}`);
    expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, 390]);
  }
});
