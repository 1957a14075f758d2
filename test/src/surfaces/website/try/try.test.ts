import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { HOUR } from "../../../../../src/platform/clock.ts";
import { nameServer } from "../../../../support/network/raw-server.ts";
import { testService } from "../../../../support/service/service.ts";
import { type PageSeen, signedIn, User } from "../../../../support/website/user.ts";

const NAMES = ["shop.example", "other.example"];
const { resolve } = nameServer(Object.fromEntries(NAMES.map((name) => [name, [["127.0.0.1"]]])));
const service = await testService({ httpOverrides: { resolve } });
afterAll(() => service.close());
// Every test is another hour, so that none counts for the next.
beforeEach(() => service.clock.pass(HOUR));

const { site } = service;
const TEXT = { "Content-Type": "text/plain" };
const HTML = { "Content-Type": "text/html" };
site.serve("/fine", "<title>Fine</title>", HTML);
site.serve("/noindex", '<meta name="robots" content="noindex">', HTML);
site.serve("/robots.txt", "User-agent: *\nDisallow: /closed\nUser-agent: bingbot\nDisallow: /", TEXT);
const at = (path: string, host = "shop.example") => `http://${host}:${site.port}${path}`;

const tryThem = (user: User, urls: string, more: Readonly<Record<string, string>> = {}) =>
  user.post("/try", Object.entries({ kept: "", more: "", urls, ...more }));
const newProject = async (user: User): Promise<PageSeen> => user.get("/dashboard/projects/new");

/** What stands in the list of the form. */
function listIn(page: PageSeen): string | undefined {
  return page.forms.flatMap(({ fields }) => fields).find(([name]) => name === "urls")?.[1];
}

test("200: each page with what it says, and what the whole list costs, to anybody", async () => {
  const paths = ["/fine", "/noindex", "/closed", "/nothing"];
  const page = await tryThem(new User(service), [...paths.map((path) => at(path)), "no url"].join("\n"));
  expect(page.status).toBe(200);
  for (const text of [
    "1 of 4 pages are ready to be submitted",
    "bingbot kept out by robots.txt",
    "Applebot kept out by noindex",
    "Kept out by robots.txt",
    "Not found (404)",
    "Line 5: no url",
    "Submit 4 URLs for 4 credits",
    "The pack Basic is enough: 150 credits for $9.99",
  ])
    expect(page.text).toContain(text);
  expect(page.text).not.toContain("nothing here");
  expect(page.headers.get("cache-control")).toBe("private, no-cache");
});

test("200: of 188 pages the first ten are read, and all of them are priced", async () => {
  const list = Array.from({ length: 188 }, (_, i) => at(`/many-${i}`)).join("\n");
  const page = await tryThem(new User(service), list);
  expect(page.text).toContain("first 10 of 188 pages");
  expect(page.text).toContain("Submit 188 URLs for 188 credits");
  expect(page.text).toContain("The pack Pro is enough: 500 credits for $29.99");
  expect([site.hits("/many-9"), site.hits("/many-10")]).toEqual([1, 0]);
});

test("200: a line without https:// is read with it", async () => {
  const page = await tryThem(new User(service), "other.example/a");
  expect(page.text).toContain("1 line without https:// in front");
  expect(page.text).toContain("https://other.example/a");
});

test.each([
  ["nothing", "", "Paste at least one URL"],
  ["no address", "hello there", "No line is an address of a page"],
  ["a host in a private network", "http://localhost/x\nhttp://10.0.0.1/", "its host is in a private network"],
  [
    "a sitemap index",
    "<sitemapindex><sitemap><loc>https://example.com/1.xml</loc></sitemap></sitemapindex>",
    "sitemap index",
  ],
])("400 %s: said at the field, and what was typed stays", async (_, urls, text) => {
  const page = await tryThem(new User(service), urls);
  expect(page.status).toBe(400);
  expect(page.text).toContain(text);
  expect(listIn(page)).toBe(urls);
});

test("a host without a public address is not told from one that does not answer", async () => {
  const page = await tryThem(new User(service), "http://unknown.example/\nhttp://shop.example/");
  const note = "The page could not be fetched from here";
  expect(page.text.split(note)).toHaveLength(3);
});

test("429: the fourth list of an hour is not read, says when the next may be, and is kept all the same", async () => {
  const user = new User(service);
  for (let n = 0; n < 3; n++) {
    await tryThem(user, at("/fine"));
    service.clock.pass(60_000);
  }
  const before = site.hits("/fine");
  const page = await tryThem(user, at("/fine"));
  expect([page.status, site.hits("/fine")]).toEqual([429, before]);
  expect(page.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(page.text).toMatch(/Try again in \d+ minutes/);
  expect(page.forms.map(({ action }) => action)).toContain("/sign-up");
});

test.each([
  ["another site", { "Sec-Fetch-Site": "cross-site" }],
  ["another name of this site", { "Sec-Fetch-Site": "same-site" }],
])("403: a form of %s reads nothing", async (_, headers) => {
  const before = site.hits("/fine");
  const page = await new User(service).post("/try", [["urls", at("/fine")]], headers);
  expect([page.status, site.hits("/fine")]).toEqual([403, before]);
});

test("413: more than a form of the front page takes is refused", async () => {
  const page = await tryThem(new User(service), `${at("/fine")}\n`.repeat(20_000));
  expect(page.status).toBe(413);
});

describe("without a script the browser keeps a short list in a cookie", () => {
  test("it stands in the form of a new project after signing in, and is gone once it is submitted", async () => {
    const stranger = new User(service);
    await tryThem(stranger, `${at("/fine")}\n${at("/noindex")}`);
    const { user } = await signedIn(service);
    stranger.cookies.set("sid", user.cookies.get("sid")!);
    const form = await newProject(stranger);
    expect(listIn(form)).toBe(`${at("/fine")}\n${at("/noindex")}`);
    expect(form.forms.flatMap(({ fields }) => fields).map(([name]) => name)).toContain("bing");
  });

  test("one that is too long is in the page, which leads on with it", async () => {
    const list = Array.from({ length: 400 }, (_, i) => at(`/${i * 7919}-${i * 104729}`)).join("\n");
    const page = await tryThem(new User(service), list);
    expect(page.text).toContain("Leave this page open");
    expect(listIn(page)).toBe(list);
    expect(page.forms.map(({ action }) => action)).toEqual(["/dashboard/projects/new"]);
  });

  test.each([["broken"], [""], ["x".repeat(4_000)], ["%00"]])(
    "a cookie that is not ours is as none: %s",
    async (value) => {
      const { user } = await signedIn(service);
      user.cookies.set("list", value);
      expect([(await newProject(user)).status, listIn(await newProject(user))]).toEqual([200, ""]);
    },
  );

  test("signing out forgets it", async () => {
    const { user } = await signedIn(service);
    await tryThem(user, at("/fine"));
    expect(user.cookies.get("list")).toBeTruthy();
    await user.submit(await user.get("/sign-out"), {}, "/sign-out");
    expect(user.cookies.get("list") ?? "").toBe("");
  });
});

test("where strangers cannot sign up, nothing is read for them", async () => {
  const closed = await testService({ config: { signUp: "off" } });
  const user = new User(closed);
  const [front, tried] = [await user.get("/"), await user.post("/try", [["urls", "https://example.com/"]])];
  await closed.close();
  expect([front.forms, tried.status]).toEqual([[], 404]);
});

test("what Google has is said only where the operator allows lookups", async () => {
  const generous = await testService({ config: { freeLookupsPerDay: 10 }, httpOverrides: { resolve } });
  const page = await tryThem(new User(generous), `${at("/fine")}?sandbox=never`);
  await generous.close();
  expect(page.text).toContain("Not in Google");
  expect(page.text).toContain("This is a sandbox: what it says of Google is made up.");
  expect((await tryThem(new User(service), at("/fine"))).text).not.toContain("In Google");
});
