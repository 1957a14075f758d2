import { readdirSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { testService } from "../../../../support/service/service.ts";
import { User } from "../../../../support/website/user.ts";

const FOLDER = "src/surfaces/website/components";

test("200: the sandbox shows its components, in a page that no robot indexes", async () => {
  const service = await testService();
  onTestFinished(() => service.close());
  const page = await new User(service).get("/components");
  expect([page.status, page.headers.get("x-robots-tag")]).toEqual([200, "noindex, nofollow"]);
  expect(page.html).not.toMatch(/\sstyle=|\son\w+=/);
});

test("law: every file of components is used by the page of components", () => {
  const page = readFileSync("src/surfaces/website/public/components-page.tsx", "utf8");
  const shown = readdirSync(FOLDER).filter((file) => page.includes(`/components/${file}"`));
  expect(shown).toEqual(readdirSync(FOLDER));
});

test("404 in a live service", async () => {
  const live = await testService({ config: { mode: "live" } });
  onTestFinished(() => live.close());
  expect((await new User(live).get("/components")).status).toBe(404);
});
