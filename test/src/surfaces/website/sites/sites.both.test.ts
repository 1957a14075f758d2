import { afterAll, expect, test } from "vitest";
import { foldCoverage } from "../../../../../src/domain/coverage/fold.ts";
import { createKey } from "../../../../../src/domain/credentials/keys.ts";
import { recordVisits } from "../../../../../src/indexing/visits/visits.ts";
import { DAY } from "../../../../../src/platform/clock.ts";
import { openSessionOf } from "../../../../support/database/people.ts";
import { testChecker } from "../../../../support/service/checker.ts";
import { testService } from "../../../../support/service/service.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const SITES = "/dashboard/sites";

test("303: a host is added, and the page gives its key file and where it has to be", async () => {
  const { user } = await signedIn(service);
  const added = await user.submit(await user.get(SITES), { host: "https://WWW.example.com/page" }, SITES);
  expect(added.status).toBe(303);
  expect(added.location).toBe(`${SITES}/www.example.com?checked=1`);
  const page = await user.follow(added);
  expect(page.text).toContain("www.example.com is added. Place its key file, then verify it.");
  const [, path] = /href="(\/dashboard\/sites\/\w+\/key)"/.exec(page.html)!;
  const [, address, key] = /href="(https:\/\/www\.example\.com\/(\w+)\.txt)"/.exec(page.html)!;
  expect(page.text).toContain(address);
  const file = await user.get(path!);
  expect(file.headers.get("content-disposition")).toBe(`attachment; filename=${key}.txt`);
  expect([file.html, file.headers.get("content-type")]).toEqual([key, "text/plain; charset=utf-8"]);
});

test("303: verified once its key file is there, and said to be so", async () => {
  const { user } = await signedIn(service);
  const host = `127.0.0.1:${service.site.port}`;
  const page = await user.follow(await user.submit(await user.get(SITES), { host }, SITES));
  const verify = () =>
    user.post(SITES, page.forms.find(({ fields }) => fields.some(([, value]) => value === host))!.fields);
  const failed = await user.follow(await verify());
  expect(failed.text).toContain(`The key file of ${host} was not found`);
  const [, key] = /href="https:\/\/[^/]+\/(\w+)\.txt"/.exec(page.html)!;
  service.site.serve(`/${key}.txt`, key!, { "Content-Type": "text/plain" });
  const verified = await user.follow(await verify());
  expect(verified.text).toContain(`${host}: Verified: a live service would send the site's pages`);
  expect(verified.text).toContain("Leave the file where it is.");
});

test("303: a verified host gets a new key, and its file in place of the old one", async () => {
  const { user } = await signedIn(service);
  const host = `127.0.0.1:${service.site.port}`;
  const page = await user.follow(await user.submit(await user.get(SITES), { host }, SITES));
  const keyOf = (html: string) => /href="https?:\/\/[^/]+\/(\w+)\.txt"/.exec(html)![1]!;
  const serve = (key: string) => service.site.serve(`/${key}.txt`, key, { "Content-Type": "text/plain" });
  const press = async (isNew: boolean) => {
    const { forms } = await user.get(`${SITES}/${encodeURIComponent(host)}`);
    const form = forms.find(
      ({ fields }) =>
        fields.some(([name]) => name === "rotate_key") === isNew && fields.some(([, value]) => value === host),
    );
    return user.follow(await user.post(SITES, form!.fields));
  };
  serve(keyOf(page.html));
  await press(false);
  const rotated = await press(true);
  expect(rotated.text).toContain(`${host} has a new key. See below where to place its file.`);
  expect(rotated.text).toContain("The old key is used until the file of the new one is found.");
  const key = keyOf(rotated.html);
  expect(key).not.toBe(keyOf(page.html));
  serve(key);
  expect((await press(false)).text).toContain("Leave the file where it is.");
});

test.each(["", "no host", "https://user@example.com/"])(
  "400 %j: said beside the field, which keeps it",
  async (host) => {
    const { user } = await signedIn(service);
    const page = await user.submit(await user.get(SITES), { host }, SITES);
    expect(page.status).toBe(400);
    expect(page.html).toContain('id="host-problem"');
    expect(page.forms.find(({ action }) => action === SITES)!.fields).toContainEqual(["host", host]);
  },
);

test("404: the key file of another account's site", async () => {
  const { user } = await signedIn(service);
  await user.submit(await user.get(SITES), { host: "example.com" }, SITES);
  const [path] = /\/dashboard\/sites\/\w+\/key/.exec((await user.get(`${SITES}/example.com`)).html)!;
  expect((await (await signedIn(service)).user.get(path)).status).toBe(404);
});

/** Somebody with 40 pages on a host that was looked up for 16 days, and 4 on another. */
async function withCoverage() {
  const { user, accountId } = await signedIn(service);
  const { db, clock } = service;
  const key = await db.tx((tx) => createKey(tx, { accountId, name: "k", mode: "sandbox", now: clock.now() }));
  const fates = ["hour", "day_4", "day_14", "never"];
  const page = (host: string) => (_: unknown, i: number) => `https://${host}/${i}?sandbox=${fates[i % 4]}`;
  const urls = [
    ...Array.from({ length: 40 }, page("www.shop.example")),
    ...Array.from({ length: 4 }, page("blog.shop.example")),
  ];
  const body = { urls, name: "Spring" };
  const { project } = (await service.request("POST", "/projects", { key, body })).json;
  await testChecker(service).until(clock.service() + 16 * DAY);
  await foldCoverage(db);
  // The first session has expired by now.
  user.cookies.set(
    "sid",
    await db.tx((tx) => openSessionOf(tx, { accountId, browser: "Firefox", ip: "127.0.0.1", now: clock.now() })),
  );
  const read = async (path: string) => (await service.request("GET", path, { key })).json;
  return { user, accountId, project, read };
}

test("200: the numbers of a site's page and of the list are the ones of get_coverage, for each span", async () => {
  const { user, project, read } = await withCoverage();
  const list = await user.get(SITES);
  for (const days of [30, 90, 400]) {
    const [host] = (await read(`/coverage?host=www.shop.example&days=${days}`)).hosts;
    expect([host.pages, host.in_google, host.not_in_google]).toEqual([40, 30, 10]);
    const { status, text, html } = await user.get(`${SITES}/www.shop.example?days=${days}`);
    expect(status).toBe(200);
    expect(text).toContain("30 of 40 pages in Google (75%) · half of them within 4 days");
    expect(html).toContain(`from ${host.series[0].day} to ${host.series.at(-1).day}`);
    for (const { count } of host.reasons) expect(text).toContain(` ${count} `);
    expect(html).toContain(`href="/dashboard/projects/${project.id}"`);
    expect(html).toContain('href="/dashboard/shares/new?host=www.shop.example"');
    expect(list.text).toContain(`www.shop.example ${host.pages} ${host.in_google} 75%`);
  }
  expect(list.text).toContain("blog.shop.example 4 3 75%");
});

test("200: the crawlers that came to the host, each with whether it is who it says; no other host's", async () => {
  const { user, accountId } = await withCoverage();
  const { db, clock } = service;
  const at = { firstAt: clock.now(), lastAt: clock.now(), status: 200 };
  const visit = (url: string, verified: "range" | "no", count: number) => ({
    url,
    agent: "Googlebot" as const,
    verified,
    count,
    ...at,
  });
  const visits = [
    visit("https://www.shop.example/1", "range", 3),
    visit("https://www.shop.example/2", "range", 4),
    visit("https://www.shop.example/1", "no", 1),
    visit("https://blog.shop.example/1", "range", 50),
    visit("https://www.shop.example.org/1", "range", 60),
  ];
  await db.tx((tx) => recordVisits(tx, accountId, visits));
  const { text } = await user.get(`${SITES}/www.shop.example`);
  expect(text).toContain("Googlebot yes 2 7");
  expect(text).toContain("Googlebot no, it only claims to be 1 1");
});

test("404: a host that the account does not have, another account's, and what is no host", async () => {
  await withCoverage();
  const { user } = await signedIn(service);
  for (const host of ["nowhere.example", "www.shop.example", "a b", "%25", "x".repeat(3_000)])
    expect([host, (await user.get(`${SITES}/${encodeURIComponent(host)}`)).status]).toEqual([host, 404]);
});
