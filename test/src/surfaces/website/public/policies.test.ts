import { afterAll, expect, test } from "vitest";
import { readConfig } from "../../../../../src/platform/config/config.ts";
import { documentsOf } from "../../../../../src/surfaces/docs/index.ts";
import { testService } from "../../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());

const NAMES = ["privacy", "terms", "support"] as const;

test.each(NAMES)(
  "200 /%s: our own page, which says that the operator runs the service, linked from every page",
  async (name) => {
    const response = await fetch(`${service.url}/${name}`, { headers: { Accept: "text/html" } });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("run by");
    for (const page of ["/", "/sign-in", "/docs", "/nothing"]) {
      const html = await (await fetch(service.url + page, { headers: { Accept: "text/html" } })).text();
      expect(html, page).toContain(`<a href="/${name}">`);
    }
  },
);

test.each(NAMES)("302 /%s: leads to the page of the operator where there is one, and ours is gone", async (name) => {
  const url = `https://example.com/${name}?a=1`;
  const policies = { privacy: undefined, terms: undefined, support: undefined, [name]: url };
  const other = await testService({ config: { policies } });
  const response = await fetch(`${other.url}/${name}`, { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([302, url]);
  expect((await fetch(`${other.url}/${name}.md`)).status).toBe(404);
  expect(documentsOf(other.config).map(({ path }) => path)).not.toContain(`/${name}`);
  await other.close();
});

test("settings name the pages of the operator", () => {
  const { policies } = readConfig({ PRIVACY_URL: "https://example.com/p/", SUPPORT_URL: "https://example.com/s" });
  expect(policies).toEqual({ privacy: "https://example.com/p", terms: undefined, support: "https://example.com/s" });
  expect(() => readConfig({ TERMS_URL: "javascript:alert(1)" })).toThrow("TERMS_URL: must be an http or https address");
});

test("the privacy page names who gets data, as this deployment is set up", () => {
  const textOf = (settings: Record<string, string>) =>
    documentsOf(readConfig(settings)).find(({ path }) => path === "/privacy")!.markdown;
  expect(textOf({})).toContain("This is a sandbox, whose engines are simulated.");
  const live = {
    ENGINES: "serper",
    SERPER_KEY: "x",
    SITE_URL: "https://beckon.example",
    SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
    MAIL: "smtp://mail.example.com",
    STRIPE_SECRET_KEY: "sk_live_1",
    STRIPE_WEBHOOK_SECRET: "whsec_1",
    CONTACT: "help@example.com",
  };
  const text = textOf(live);
  for (const words of ["**Stripe**", "serper", "**A mail server**", "`help@example.com`"])
    expect(text).toContain(words);
});
