import { afterAll, expect, test } from "vitest";
import { documentsOf } from "../../../../src/surfaces/docs/index.ts";
import { blocksIn } from "../../../support/checks/markdown-blocks.ts";
import { urlset } from "../../../support/network/sitemap-server.ts";
import { shell } from "../../../support/service/run-script.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const { markdown } = documentsOf(service.config).find(({ path }) => path === "/docs/deployments")!;
const [script] = blocksIn(markdown).filter(({ language }) => language === "sh");

test("law: the curl script submits what is new once, and nothing above the budget", async () => {
  const { key } = await service.account({ credits: 100 });
  const pages = Array.from({ length: 60 }, (_, at) => `https://example.com/${at}`);
  const sitemap = service.site.serve("/deployed.xml", urlset(pages.slice(0, 20)));
  const run = (COMMIT: string) =>
    shell(script!.text.replace("https://example.com/sitemap.xml", sitemap), { BECKON_API_KEY: key, COMMIT });
  const credits = async () => (await service.request("GET", "/account", { key })).json.credits;
  const first = await run("a1");
  expect(first).toMatch(/^New pages cost 20 credits\.\n\{"project":/);
  expect(await credits()).toBe(80);
  // Again for the same deployment, nothing is new; the answer is the first one.
  expect(await run("a1")).toContain(JSON.parse(first.split("\n")[1]!).project.id);
  service.site.serve("/deployed.xml", urlset(pages.slice(0, 25)));
  expect(await run("b2")).toMatch(/^New pages cost 5 credits\.\n/);
  expect(await credits()).toBe(75);
  service.site.serve("/more.xml", urlset(pages));
  const large = script!.text
    .replace("https://example.com/sitemap.xml", service.site.serve("/more.xml", urlset(pages)))
    .replace("BUDGET=50", "BUDGET=34");
  await expect(shell(large, { BECKON_API_KEY: key, COMMIT: "c3" })).rejects.toMatchObject({
    stdout: "New pages cost 35 credits.\nThat is above the budget of 34.\n",
  });
  expect(await credits()).toBe(75);
});
