import { afterAll, expect, test } from "vitest";
import { LIMITS } from "../../../../../src/platform/limits.ts";
import { testService } from "../../../../support/service/service.ts";
import { ESCAPED, HOSTILE, projectOf } from "../../../../support/website/account-fixtures.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const PATH = "/dashboard/search";
const asked = (q: string) => `${PATH}?q=${encodeURIComponent(q)}`;

test("200: URLs, projects, sites and orders, each with a link to its page, and nothing of another account", async () => {
  const { user, accountId } = await signedIn(service);
  const other = await signedIn(service);
  const id = await projectOf(service, accountId, ["https://shop.example/shoes"], { name: `Shoes ${HOSTILE}` });
  await projectOf(service, other.accountId, ["https://shop.example/shoes"], { name: "Shoes of others" });
  await user.submit(await user.get("/dashboard/sites"), { host: "shop.example" }, "/dashboard/sites");

  const { html, text } = await user.get(asked("shoes"));
  expect(html).toContain(`href="/dashboard/projects/${id}/links/lnk_${id.slice(4)}_0"`);
  expect(html).toContain(`href="/dashboard/projects/${id}"><bdi>Shoes ${ESCAPED}</bdi></a>`);
  expect(text).toContain("https://shop.example/shoes");
  expect(text).not.toContain("Shoes of others");
  expect(html).toContain('name="q" value="shoes"');
  const sites = await user.get(asked("shop.example"));
  expect(sites.text).toContain("Sites 1 shop.exampleNot verified");
  const [order] = await service.db.q.select().from(service.db.t.orders);
  expect((await (await signedIn(service)).user.get(asked(order!.id))).text).toContain("Nothing in this account");
});

test("200: what was typed is shown again, escaped, where nothing contains it", async () => {
  const { user } = await signedIn(service);
  const { html, text } = await user.get(asked(HOSTILE));
  expect(text).toContain("Nothing in this account contains");
  expect(html).not.toContain("<b onclick");
});

test.each(["", "  ", "a", " a ", "x".repeat(201), "a\u0001b"])(
  "200: %j is not searched for, and the page says what can be",
  async (q) => {
    const { user } = await signedIn(service);
    const page = await user.get(asked(q));
    expect([page.status, page.text.includes("Type part of a URL")]).toEqual([200, true]);
    expect(page.text.includes("at least two characters")).toBe(q.trim() !== "");
  },
);

test("200: says where only the newest are shown", async () => {
  const { user, accountId } = await signedIn(service);
  const urls = Array.from({ length: 30 }, (_, n) => `https://many.example/${n}`);
  await projectOf(service, accountId, urls);
  expect((await user.get(asked("many.example"))).text).toContain("URLs the newest 20");
});

test("429 rate_limited: more searches than the limit, within the dashboard", async () => {
  const { user } = await signedIn(service);
  let page = await user.get(asked("nothing"));
  for (let n = 1; n <= LIMITS.searches.count && page.status === 200; n++) page = await user.get(asked("nothing"));
  expect(page.status).toBe(429);
  expect(page.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(page.html).toContain('aria-label="Dashboard"');
});
