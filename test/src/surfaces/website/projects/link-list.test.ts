import { afterAll, expect, test } from "vitest";
import { DAY } from "../../../../../src/platform/clock.ts";
import { normaliseUrl } from "../../../../../src/platform/urls/urls.ts";
import { pages } from "../../../../support/database/store.ts";
import { testChecker } from "../../../../support/service/checker.ts";
import { testService } from "../../../../support/service/service.ts";
import { projectOf } from "../../../../support/website/account-fixtures.ts";
import { type PageSeen, signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const urlsIn = ({ html }: PageSeen) =>
  [...html.slice(html.indexOf('id="urls"')).matchAll(/<bdi dir="ltr">(.*?)<\/bdi><\/a>/g)].map(([, url]) =>
    url!.replace(/<\/?bdi>/g, ""),
  );

test("200 /dashboard/projects/:id: URLs in pages of 100, also of one status", async () => {
  const { user, accountId } = await signedIn(service);
  const id = await projectOf(service, accountId, pages(101));
  const path = `/dashboard/projects/${id}`;
  const first = await user.get(path);
  expect(urlsIn(first)).toEqual(pages(100));
  expect(first.text).toMatch(/example.com\/0 Waiting to be sent 1 planned \d+ Jan 2026 – –/);
  expect(first.html).toContain(`<a href="${path}?page=2#urls" rel="next">`);
  const waiting = await user.get(`${path}?status=waiting`);
  expect(waiting.html).toContain(`<a href="${path}?status=waiting&amp;page=2#urls" rel="next">`);
  expect(urlsIn(await user.get(`${path}?status=waiting&page=2`))).toEqual(["https://example.com/100"]);
  expect((await user.get(`${path}?page=3`)).text).toContain("There are no more URLs");
});

test("200: each URL with what the evidence says of it, its times, and a page of its own", async () => {
  const { user, accountId } = await signedIn(service);
  const id = await projectOf(service, accountId, [...pages(3, "day_4"), ...pages(2, "never")]);
  await testChecker(service).until(service.clock.service() + 5 * DAY);
  const path = `/dashboard/projects/${id}`;
  const page = await user.get(path);
  expect(page.text).toMatch(/All 5 ?In Google 3 ?Checking 2 ?URL/);
  expect(page.text).toMatch(
    /https:\/\/example.com\/0\?sandbox=day_4 In Google, first found on day 4 1 5 Jan 2026 9 Jan 2026 in 9 days/,
  );
  expect(page.html).toContain(`<a class="url" href="${path}/links/lnk_${id.slice(4)}_0">`);
  expect(urlsIn(await user.get(`${path}?status=indexed`))).toHaveLength(3);
  const none = await user.get(`${path}?status=failed`);
  expect(none.text).toContain("No URL is like this");
  expect(none.html).toMatch(/status=failed#urls" aria-current="true"/);
  expect(urlsIn(await user.get(`${path}?status=%3Cx%3E`))).toHaveLength(5);
});

test("200: one of thousands is found by typing a part of it, in the order that was chosen", async () => {
  const { user, accountId } = await signedIn(service);
  const urls = Array.from({ length: 150 }, (_, i) => `https://example.com/${(i * 7) % 150}/Post`);
  const path = `/dashboard/projects/${await projectOf(service, accountId, urls)}`;
  const form = (await user.get(path)).forms.find(({ action }) => action === `${path}#urls`)!;
  expect([form.method, form.fields]).toEqual(["get", [["search", ""]]]);
  const found = await user.get(`${path}?search=%2F7%2Fpost`);
  expect(urlsIn(found)).toEqual(["https://example.com/7/Post"]);
  expect(found.text).toMatch(/All 1 ?Waiting 1 ?URL/);
  const sorted = await user.get(`${path}?search=post&sort=-url`);
  expect(urlsIn(sorted).slice(0, 2)).toEqual(["https://example.com/99/Post", "https://example.com/98/Post"]);
  expect(sorted.html).toContain(`<a href="${path}?search=post&amp;sort=-url&amp;page=2#urls" rel="next">`);
  expect(sorted.html).toContain(`aria-sort="descending"><a href="${path}?search=post&amp;sort=url#urls">URL</a>`);
  expect(sorted.html).toContain(`href="${path}/links.csv?search=post&amp;sort=-url"`);
  expect((await user.get(`${path}?search=nowhere`)).text).toContain("No URL here contains “nowhere”");
});

test("200: the page says that the order does not exist or the text is too long, and still shows the list", async () => {
  const { user, accountId } = await signedIn(service);
  const path = `/dashboard/projects/${await projectOf(service, accountId, pages(2))}`;
  const unknown = await user.get(`${path}?sort=%3Cscript%3E`);
  expect(unknown.text).toContain("This list has no such order");
  expect(urlsIn(unknown)).toEqual(pages(2));
  const long = await user.get(`${path}?search=${"%F0%9F%98%80".repeat(201)}`);
  expect([long.status, urlsIn(long)]).toEqual([200, pages(2)]);
  expect(long.text).toContain("at most 200 characters");
});

test("200: URLs with markup, in Arabic and of 4,000 characters are shown as text, readable and cut", async () => {
  const { user, accountId } = await signedIn(service);
  const long = `https://example.com/${"a".repeat(3_980)}`;
  const urls = [
    "https://example.com/?a=<b>&c='\"",
    "https://example.com/مرحبا",
    "https://example.com/%E2%80%AEgnp.exe",
    long,
  ];
  const stored = urls.map((url) => normaliseUrl(url)!);
  const page = await user.get(`/dashboard/projects/${await projectOf(service, accountId, stored)}`);
  expect(page.html).not.toContain("<b>");
  const [markup, arabic, reversed, cut] = urlsIn(page);
  expect(markup).toBe("https://example.com/?a=%3Cb%3E&amp;c=%27%22");
  expect(arabic).toBe("https://example.com/مرحبا");
  expect(page.html).toContain("https://example.com/<bdi>مرحبا</bdi></bdi>");
  expect(reversed).toBe("https://example.com/%E2%80%AEgnp.exe");
  expect(cut).toBe(`${long.slice(0, 120)}…`);
});
