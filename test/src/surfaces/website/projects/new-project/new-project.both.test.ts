import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { balanceOf, post } from "../../../../../../src/domain/ledger/ledger.ts";
import { projectsOf } from "../../../../../../src/domain/projects/list-projects.ts";
import { endSessions } from "../../../../../../src/domain/users/sessions.ts";
import { MINUTE } from "../../../../../../src/platform/clock.ts";
import { ownerOf } from "../../../../../support/database/people.ts";
import { urlset } from "../../../../../support/network/sitemap-server.ts";
import { testService } from "../../../../../support/service/service.ts";
import { type ListFill, NEW_PROJECT, sendList, submitList } from "../../../../../support/website/list-form.ts";
import { type PageSeen, signedIn, User } from "../../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());
beforeEach(() => service.clock.pass(MINUTE));

const { db } = service;
const LIST = "https://example.com/a\r\nhttps://example.com/b\r\nHTTPS://EXAMPLE.com/a\r\nno url\r\n";

const projectsIn = async (accountId: string) =>
  (await projectsOf(db, accountId, { kind: "all", status: "any", limit: 50, offset: 0 })).rows;
const urls = (fields: Readonly<Record<string, string | null>>): ListFill => ({ fields });

/** The value that a form would send. */
function fieldOf(page: PageSeen, name: string): string | undefined {
  const form = page.forms.find(({ action }) => action === NEW_PROJECT)!;
  return form.fields.find(([one]) => one === name)?.[1];
}

describe("a list", () => {
  test("200: it is counted first, with its price and what is left, and nothing is spent", async () => {
    const { user, accountId } = await signedIn(service);
    const page = await sendList(user, await user.get(NEW_PROJECT), urls({ urls: LIST }));
    expect(page.status).toBe(200);
    for (const text of ["URLs to submit2", "Duplicates left out1", "Invalid and left out1", "Price2 credits"])
      expect(page.text.replace(/ (?=\d)/g, "")).toContain(text);
    expect(page.text).toContain("Line 4: no url");
    expect(page.html).toContain("Submit 2 URLs for 2 credits");
    expect(await projectsIn(accountId)).toEqual([]);
    expect(await balanceOf(db, accountId)).toBe(150);
  });

  test("303: sent again with that price, it becomes a project, and leads to its page", async () => {
    const { user, accountId } = await signedIn(service);
    const choices = { kind: "instant", name: "Mine", yandex: null, drip_days: "7" };
    const done = await submitList(user, urls({ urls: LIST, ...choices }));
    const [project] = await projectsIn(accountId);
    expect([done.status, done.location]).toEqual([303, `/dashboard/projects/${project!.id}`]);
    const wanted = { name: "Mine", mode: "instant", total: 2, bing: true, yandex: false, dripDays: 7, creditsSpent: 6 };
    expect(project).toMatchObject(wanted);
  });

  test("303: without a name it is called by the host of its first URL and the day", async () => {
    const { user, accountId } = await signedIn(service);
    await submitList(user, urls({ urls: `no url\n${LIST}`, name: " " }));
    const [project] = await projectsIn(accountId);
    expect(project!.name).toBe(`example.com, ${new Date(service.clock.now()).toISOString().slice(0, 10)}`);
  });

  test("303: sent with a price that the page has counted and the server counts too, at once", async () => {
    const { user, accountId } = await signedIn(service);
    const form = await user.get(NEW_PROJECT);
    const counted = await sendList(user, form, urls({ urls: LIST, agreed: "1" }));
    expect([counted.status, await projectsIn(accountId)]).toEqual([200, []]);
    expect((await sendList(user, form, urls({ urls: LIST, agreed: "2" }))).status).toBe(303);
  });

  test("303: a check costs a credit for ten URLs", async () => {
    const { user, accountId } = await signedIn(service);
    const list = Array.from({ length: 11 }, (_, i) => `https://example.com/${i}`).join("\n");
    expect((await submitList(user, urls({ urls: list, kind: "check" }))).status).toBe(303);
    expect(await projectsIn(accountId)).toMatchObject([{ kind: "check", total: 11, creditsSpent: 2 }]);
  });

  test("303: the same form sent twice at once or later spends once", async () => {
    const { user, accountId } = await signedIn(service);
    const counted = await sendList(user, await user.get(NEW_PROJECT), urls({ urls: LIST }));
    const both = await Promise.all([sendList(user, counted), sendList(user, counted)]);
    const places = [...both, await sendList(user, counted)].map(({ location }) => location);
    const [project] = await projectsIn(accountId);
    expect(places).toEqual(Array(3).fill(`/dashboard/projects/${project!.id}`));
    expect(await balanceOf(db, accountId)).toBe(148);
  });

  test("422: a form that has created a project, sent again with other URLs, creates nothing, and can be sent once more", async () => {
    const { user, accountId } = await signedIn(service);
    const form = await user.get(NEW_PROJECT);
    await sendList(user, form, urls({ urls: LIST, agreed: "2" }));
    const other = await sendList(user, form, urls({ urls: "https://example.com/other", agreed: "1" }));
    expect([other.status, fieldOf(other, "urls")]).toEqual([422, "https://example.com/other"]);
    expect(other.text).toContain("has created a project already");
    expect(await projectsIn(accountId)).toHaveLength(1);
    expect((await sendList(user, other, urls({ agreed: "1" }))).status).toBe(303);
  });

  test("200: URLs that were submitted before are counted, can be left out, and are agreed to apart", async () => {
    const { user, accountId } = await signedIn(service);
    await submitList(user, urls({ urls: "https://example.com/a" }));
    const form = await user.get(NEW_PROJECT);
    const counted = await sendList(user, form, urls({ urls: LIST, agreed: "2" }));
    expect(counted.text).toContain("You have submitted 1 of these URLs in an earlier project");
    const without = await sendList(user, counted, {}, 1);
    expect(without.html).toContain("Submit 1 URL for 1 credit");
    expect((await sendList(user, counted)).status).toBe(303);
    expect((await projectsIn(accountId)).map(({ total }) => total)).toEqual([2, 1]);
  });

  test("200: nothing is lost on the way back from the count", async () => {
    const { user } = await signedIn(service);
    const typed = { urls: `${LIST}https://example.com/<b>"'\n`, name: "A & <b>", kind: "instant", drip_days: "14" };
    const counted = await sendList(user, await user.get(NEW_PROJECT), urls(typed));
    const changed = await sendList(user, counted, urls({ change: "yes" }));
    expect(changed.status).toBe(200);
    for (const [name, value] of Object.entries(typed))
      expect([name, fieldOf(changed, name)?.replaceAll("\r", "")]).toEqual([name, value.replaceAll("\r", "")]);
    expect(fieldOf(changed, "key")).toBe(fieldOf(counted, "key"));
  });
});

describe("a file", () => {
  const seen = async (file: ListFill["file"]) => {
    const { user } = await signedIn(service);
    return sendList(user, await user.get(NEW_PROJECT), { fields: { urls: "https://example.com/typed" }, file: file! });
  };
  test.each([
    ["list.txt", "https://example.com/1\nhttps://example.com/2", 3],
    ["list.csv", 'Name,Address\nOne,"https://example.com/1,2"\nTwo,https://example.com/2\n', 3],
    ["list.xml", "<urlset><url><loc>https://example.com/?a=1&amp;b=2</loc></url></urlset>", 2],
    ["empty.txt", "", 1],
  ])("200 %s: its URLs are added to those that were typed", async (name, content, count) => {
    const page = await seen({ name, content });
    expect(page.html).toContain(`Submit ${count} URL${count === 1 ? "" : "s"} for`);
  });

  test.each([
    ["binary", new Uint8Array([0x50, 0x4b, 3, 4, 0, 0])],
    ["compressed", new Uint8Array([0x1f, 0x8b, 8, 0])],
    ["an index of sitemaps", "<sitemapindex><sitemap><loc>https://example.com/1.xml</loc></sitemap></sitemapindex>"],
  ])("400 %s: refused, and what was typed stays", async (_, content) => {
    const page = await seen({ name: "list.xlsx", content });
    expect([page.status, fieldOf(page, "urls")]).toEqual([400, "https://example.com/typed"]);
    expect(page.text).toContain("list.xlsx cannot be ");
  });

  test("200 a table in UTF-16: the column that was read and what was left out are said, by the lines of the file", async () => {
    const content = Uint8Array.from(
      Buffer.from("\ufeffPage\tClicks\nhttps://example.com/1\t1\nnothing\t2\n", "utf16le"),
    );
    const page = await seen({ name: "export.csv", content });
    for (const text of [
      "export.csv: Read from the column “Page”, number 1 of 2.",
      "Line 3: nothing (it does not begin with http:// or https://)",
      "Submit 2 URLs for 2 credits",
    ])
      expect(page.text).toContain(text);
  });

  test("200: addresses without a scheme are offered with https, in the file and in what was typed", async () => {
    const { user, accountId } = await signedIn(service);
    const file = { name: "list.txt", content: "www.example.com/b\nhttps://example.com/c" };
    const page = await sendList(user, await user.get(NEW_PROJECT), { fields: { urls: "www.example.com/a" }, file });
    expect(page.text).toContain("2 lines do not say https://, such as line 1: www.example.com/a");
    expect(page.text).toContain("Submit 1 URL for 1 credit");
    const whole = await sendList(user, page, {}, 1);
    expect(whole.text).toContain("Submit 3 URLs for 3 credits");
    expect((await sendList(user, whole)).status).toBe(303);
    expect(await projectsIn(accountId)).toMatchObject([{ total: 3, creditsSpent: 3 }]);
  });

  test("413: over 2 MB", async () => {
    expect((await seen({ name: "list.txt", content: "x".repeat(2 * 1024 * 1024) })).status).toBe(413);
  });
});

describe("a refusal is shown next to its field, and nothing typed is lost", () => {
  test.each([
    ["nothing", { urls: " \n" }, 400, "urls-problem", "Paste at least one URL"],
    ["no URL", { urls: "example.com\nexample.org" }, 400, "urls-problem", "such as line 1: example.com"],
    ["a long line", { urls: `https://a.example/${"x".repeat(4096)}` }, 400, "urls-problem", "Line 1"],
    ["a name", { urls: "https://a.example/", name: "x".repeat(121), agreed: "1" }, 400, "name-problem", "120"],
    ["a sitemap", { source: "sitemap", sitemap_url: "example.com" }, 400, "sitemap_url-problem", "http://"],
    [
      "a check of a sitemap",
      { source: "sitemap", sitemap_url: "https://a.example/", kind: "check" },
      400,
      "kind",
      "list",
    ],
  ])("%s", async (_, fields, status, place, text) => {
    const { user, accountId } = await signedIn(service);
    const page = await sendList(user, await user.get(NEW_PROJECT), urls(fields));
    expect(page.status).toBe(status);
    expect(page.html).toContain(place);
    expect(page.text).toContain(text);
    for (const [name, value] of Object.entries(fields).filter(([name]) => name !== "agreed"))
      expect([name, fieldOf(page, name)?.trim().replaceAll("\r", "")]).toEqual([name, value.trim()]);
    expect(await projectsIn(accountId)).toEqual([]);
  });

  test("402: with too few credits it says how many are missing, buys the pack that is enough, and keeps the list for later", async () => {
    const { user, accountId } = await signedIn(service);
    const entry = { accountId, kind: "adjustment", source: "test", description: "Test", credits: -149 } as const;
    await db.tx((tx) => post(tx, { ...entry, now: service.clock.now() }));
    const form = await user.get(NEW_PROJECT);
    const counted = await sendList(user, form, urls({ urls: LIST }));
    expect(counted.text).toContain("You need 1 more credit");
    const order = await user.submit(counted, {}, "/dashboard/buy");
    expect(order.location).toMatch(/^\/sandbox\/pay\//);
    expect(fieldOf(await user.get(NEW_PROJECT), "urls")).toBe(LIST);
    const refused = await sendList(user, form, urls({ urls: LIST, agreed: "2" }));
    expect(refused.status).toBe(402);
    expect(refused.text).toContain("Needs 2 credits, the balance is 1");
    expect(fieldOf(refused, "urls")).toContain("https://example.com/b");
  });

  test("402: the page says that the account has bought nothing, before and after the form is sent", async () => {
    const { user, accountId } = await signedIn(service, { paid: false });
    const form = await user.get(NEW_PROJECT);
    expect(form.text).toContain("need an account that has bought credits at least once");
    const entry = { accountId, kind: "adjustment", source: "test", description: "Test", credits: 9 } as const;
    await db.tx((tx) => post(tx, { ...entry, now: service.clock.now() }));
    const refused = await sendList(user, form, urls({ urls: LIST, agreed: "2" }));
    expect(refused.status).toBe(402);
    expect(refused.text).toContain("Buy a pack");
  });

  test("429: over the limit of the minute, which pages share with the API", async () => {
    const { user } = await signedIn(service);
    const form = await user.get(NEW_PROJECT);
    const statuses = new Set<number>();
    for (let n = 0; n < 121; n++) statuses.add((await sendList(user, form, urls({ urls: LIST }))).status);
    expect([...statuses]).toEqual([200, 429]);
  });
});

describe("a sitemap", () => {
  test("303: read and counted first, then submitted", async () => {
    const { user, accountId } = await signedIn(service);
    const pages = ["https://example.com/1", "https://example.com/2"];
    const body = `<urlset>${pages.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`;
    const sitemap_url = service.site.serve("/list.xml", body);
    const counted = await sendList(user, await user.get(NEW_PROJECT), urls({ source: "sitemap", sitemap_url }));
    expect(counted.html).toContain("Submit 2 URLs for 2 credits");
    expect((await sendList(user, counted)).status).toBe(303);
    expect(await projectsIn(accountId)).toMatchObject([{ total: 2, sitemapUrl: sitemap_url }]);
    const skip = { source: "sitemap", sitemap_url, skip_already_submitted: "yes" };
    const again = await sendList(user, await user.get(NEW_PROJECT), urls(skip));
    expect([again.status, again.text.includes("You have submitted all of its URLs before")]).toEqual([400, true]);
  });

  const listOf = (count: number, name = "a") =>
    urlset(Array.from({ length: count }, (_, no) => `https://example.com/${name}/${no}`));
  const countedList = async (count: number, fields: Record<string, string> = {}) => {
    const { user, accountId } = await signedIn(service);
    const sitemap_url = service.site.serve("/grown.xml", listOf(count));
    const form = await user.get(NEW_PROJECT);
    return { user, accountId, page: await sendList(user, form, urls({ source: "sitemap", sitemap_url, ...fields })) };
  };

  test("200: one that has grown since costs nothing, shows its new price, and is submitted for that", async () => {
    const { user, accountId, page } = await countedList(6);
    expect(page.text).not.toContain("gained");
    service.site.serve("/grown.xml", listOf(120));
    const again = await sendList(user, page);
    expect([again.status, await balanceOf(db, accountId)]).toEqual([200, 150]);
    expect(again.text).toContain(
      "The price has risen from 6 credits to 120 credits since you saw it. Nothing was spent.",
    );
    expect(again.html).toContain("Submit 120 URLs for 120 credits");
    expect((await sendList(user, again)).status).toBe(303);
    expect(await projectsIn(accountId)).toMatchObject([{ total: 120, creditsSpent: 120 }]);
  });

  test.each([
    ["as large", listOf(6, "b"), {}, 6],
    ["smaller", listOf(2), {}, 2],
    ["instant, and smaller", listOf(2), { kind: "instant" }, 6],
  ])("law: one that is %s is submitted, for at most what was shown", async (_what, list, fields, spent) => {
    const { user, accountId, page } = await countedList(6, fields);
    service.site.serve("/grown.xml", list);
    expect((await sendList(user, page)).status).toBe(303);
    expect(await balanceOf(db, accountId)).toBe(150 - spent);
  });

  test.each(["0", "5", "-6", "6.5", "six", "1e3", "Infinity", "9".repeat(20)])(
    "law: %s as the price that was agreed to never spends more than that",
    async (agreed) => {
      const { user, accountId, page } = await countedList(6);
      const shown = await sendList(user, page, urls({ agreed }));
      expect([shown.status, await balanceOf(db, accountId)]).toEqual([200, 150]);
      expect(shown.html).toContain("Submit 6 URLs for 6 credits");
    },
  );

  test("law: a choice that costs more is asked for again", async () => {
    const { user, accountId, page } = await countedList(6);
    const shown = await sendList(user, page, urls({ kind: "instant" }));
    expect(shown.html).toContain("Submit 6 URLs for 18 credits");
    expect(await balanceOf(db, accountId)).toBe(150);
  });
});

test("200: what a sitemap lacks is shown before anything is spent", async () => {
  const { user, accountId } = await signedIn(service);
  const list = service.site.serve("/pages.xml", "<urlset><url><loc>https://example.com/1</loc></url></urlset>");
  const body = [list, `${list}.missing`].map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join("");
  const sitemap_url = service.site.serve("/index.xml", `<sitemapindex>${body}</sitemapindex>`);
  const counted = await sendList(user, await user.get(NEW_PROJECT), urls({ source: "sitemap", sitemap_url }));
  expect(counted.html).toContain("Submit 1 URL for 1 credit");
  expect(counted.text).toContain("Entry 2 of the index");
  expect(counted.text).toContain("its server answered with status 404");
  expect(await projectsIn(accountId)).toEqual([]);
});

describe("a session that has ended", () => {
  const MINE = urls({ urls: LIST, name: "Kept", kind: "instant" });

  test("401: what was typed is in the answer, and comes back after signing in; nothing is stored", async () => {
    const { user, accountId } = await signedIn(service);
    const form = await user.get(NEW_PROJECT);
    await db.tx(async (tx) => endSessions(tx, await ownerOf(tx, accountId), service.clock.now()));
    const out = await sendList(user, form, MINE);
    expect([out.status, fieldOf(out, "urls")]).toEqual([401, LIST]);
    expect(out.html).toContain('href="/sign-in?return_to=%2Fdashboard%2Fprojects%2Fnew"');
    // Signed in again, by another session and with another form token.
    user.cookies.set("sid", (await signedIn(service)).user.cookies.get("sid")!);
    const back = await sendList(user, out);
    expect(back.status).toBe(403);
    expect([fieldOf(back, "urls"), fieldOf(back, "name"), fieldOf(back, "kind")]).toEqual([LIST, "Kept", "instant"]);
    expect(back.text).toContain("Nothing was submitted yet");
    expect((await sendList(user, back)).html).toContain("Submit 2 URLs for 6 credits");
  });

  test("403: without the form's token nothing is done, and what was typed is shown", async () => {
    const { user, accountId } = await signedIn(service);
    const form = await user.get(NEW_PROJECT);
    for (const token of [null, "wrong"]) {
      const page = await sendList(user, form, urls({ urls: LIST, agreed: "2", token }));
      expect([page.status, fieldOf(page, "urls")]).toEqual([403, LIST]);
    }
    const foreign = await sendList(user, form, { ...MINE, headers: { "Sec-Fetch-Site": "cross-site" } });
    expect([foreign.status, foreign.text.includes("example.com")]).toEqual([403, false]);
    expect(await projectsIn(accountId)).toEqual([]);
  });
});

test("303 to sign in: the form, when signed out", async () => {
  const { location } = await new User(service).get(NEW_PROJECT);
  expect(location).toBe("/sign-in?return_to=%2Fdashboard%2Fprojects%2Fnew");
});
