import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { balanceOf } from "../../../../../../src/domain/ledger/ledger.ts";
import { DAY } from "../../../../../../src/platform/clock.ts";
import { secretBoxOf } from "../../../../../../src/platform/config/secrets-key.ts";
import { urlset } from "../../../../../support/network/sitemap-server.ts";
import { testService } from "../../../../../support/service/service.ts";
import { giveFactors, showFactorIn } from "../../../../../support/website/factors.ts";
import { type PageSeen, signedIn, type User } from "../../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const PATH = "/dashboard/watches";
const URL_OF = "https://example.com/sitemap.xml";
let user: User;
let accountId: string;
beforeEach(async () => {
  ({ user, accountId } = await signedIn(service));
});

const rows = async () => {
  const { watches } = service.db.t;
  return (await service.db.q.select().from(watches)).filter((row) => row.accountId === accountId);
};

const FIELDS = { url: URL_OF, credits: "250", most: "40", every: "week", new: "submit", changed: "ignore" } as const;
const MORE = { removed: "notify", first: "baseline", mode: "instant", recheck: "week", stop: "yes" } as const;
const PATTERNS = { include: "/blog/*\r\n\r\n  /news/ \r\n", exclude: "*.pdf$" } as const;
const STORED = {
  ...{ sitemapUrl: URL_OF, creditsPerMonth: 250, mostPerRun: 40, every: "week", newPages: "submit", status: "active" },
  ...{ changedPages: "ignore", removedPages: "notify", firstRun: "baseline", mode: "instant", recheck: "week" },
  ...{ stopWhenIndexed: true, include: '["/blog/*","/news/"]', exclude: '["*.pdf$"]' },
};

async function watch(fields: Record<string, string> = { ...FIELDS, ...MORE, ...PATTERNS }) {
  const answer = await user.submit(await user.get(PATH), fields, PATH);
  return answer.location === null ? answer : user.follow(answer);
}

test("a watch is made with everything that the form says, and its page shows it", async () => {
  const page = await watch();
  expect(page.status).toBe(200);
  expect(await rows()).toMatchObject([STORED]);
  expect(page.text).toContain("looked up again every week, 1 credit for 10 pages");
  expect(page.text).toContain("/blog/* /news/");
});

test("303 to confirm who one is, where the account has a factor: no watch is made, changed or made active", async () => {
  await watch();
  const { id } = (await rows())[0]!;
  const path = `${PATH}/${id}`;
  const [list, page] = [await user.get(PATH), await user.get(path)];
  const token = page.forms[0]!.fields.find(([name]) => name === "token")!;
  await giveFactors(service, secretBoxOf(service.config), accountId);
  expect((await user.post(`${path}/status`, [token, ["status", "paused"]])).location).toBe(`${path}?done=paused`);
  const before = await rows();
  const asked = async () => [
    await user.submit(list, { ...FIELDS, url: "https://example.com/other.xml" }, PATH),
    await user.post(path, [token, ...Object.entries({ ...FIELDS, credits: "999" })]),
    await user.post(`${path}/run`, [token, ["release", "yes"]]),
    await user.post(`${path}/status`, [token, ["status", "active"]]),
    await user.post(`${path}/hook`, [token, ["hook", "new"]]),
  ];
  for (const { status, location } of await asked())
    expect([status, location]).toEqual([303, expect.stringContaining("/sign-in?return_to=%2Fdashboard%2Fwatches")]);
  expect(await rows()).toEqual(before);
  await showFactorIn(service, accountId);
  for (const { location } of await asked()) expect(location ?? "").not.toContain("/sign-in");
  expect((await rows()).map(({ status }) => status)).toEqual(["active", "active"]);
});

test("400: each wrong field says what is wrong with it, and all that was typed stays", async () => {
  const wrong = { ...FIELDS, ...MORE, url: "example.com", credits: "many", most: "0" };
  const page = await watch({ ...wrong, include: "/a\nblog", exclude: "/b" });
  expect(page.status).toBe(400);
  const problemOf = (name: string) =>
    new RegExp(`id="${name}-problem"[^>]*>([^<]*)<`).exec(page.html)?.[1]?.replaceAll("&quot;", '"');
  expect(problemOf("url")).toContain("begins with https://");
  expect(problemOf("credits")).toBe("Give a whole number of credits a month.");
  expect(problemOf("most")).toBe("Give a whole number from 1 to 10,000.");
  expect(problemOf("include")).toBe("“blog”: a pattern begins with / or *.");
  expect(problemOf("exclude")).toBeUndefined();
  expect(page.html).toContain(">/a\nblog</textarea>");
  expect(page.html).toContain('value="many"');
  for (const ticked of ['name="recheck" value="week" checked', 'name="mode" value="instant" checked'])
    expect(page.html).toContain(ticked);
  expect(page.html).toMatch(/name="stop" value="yes" checked/);
  expect(await rows()).toEqual([]);
});

test("a watch is changed by its own form, which keeps what is not touched", async () => {
  await watch();
  const [row] = await rows();
  const path = `${PATH}/${row!.id}`;
  const page = await user.get(path);
  expect(page.html).toContain(">/blog/*\n/news/</textarea>");
  const { url: _, ...kept } = FIELDS;
  const { first: __, ...more } = MORE;
  const typed = { ...kept, ...more, include: "/blog/*\n/news/", exclude: "*.pdf$" };
  const saved = await user.follow(await user.submit(page, { ...typed, credits: "90" }, path));
  expect(saved.text).toContain("The settings are saved.");
  expect(await rows()).toMatchObject([{ ...STORED, creditsPerMonth: 90 }]);
  const refused = await user.submit(await user.get(path), { ...typed, most: "20000" }, path);
  expect(refused.status).toBe(400);
  expect(refused.html).toContain('id="most-problem"');
  expect(refused.html).toContain("<details open");
  const { stop, ...without } = typed;
  expect(stop).toBe("yes");
  await user.submit(await user.get(path), { ...without, stop: null, include: "", exclude: "", recheck: "off" }, path);
  const changed = { stopWhenIndexed: false, include: "[]", exclude: "[]", recheck: "off", recheckAt: null };
  expect(await rows()).toMatchObject([{ ...STORED, ...changed }]);
});

test("a dry run of a paused watch tells what a run would do, and changes nothing; one that cannot be read says why", async () => {
  const sitemap = service.site.serve("/dry.xml", urlset(["https://example.com/blog/1", "https://example.com/about"]));
  await watch({ ...FIELDS, ...MORE, ...PATTERNS, url: sitemap, first: "submit", recheck: "off" });
  const [row] = await rows();
  const path = `${PATH}/${row!.id}`;
  const press = async (action: string, fields: Record<string, string>) => {
    const hasAll = (own: readonly (readonly [string, string])[]) =>
      Object.entries(fields).every(([name, value]) => own.some((one) => one[0] === name && one[1] === value));
    const form = (await user.get(path)).forms.find((one) => one.action === action && hasAll(one.fields));
    return user.post(action, form!.fields);
  };
  await press(`${path}/status`, { status: "paused" });
  const before = await rows();
  const tried = await press(path, { dry: "yes" });
  expect(tried.status).toBe(200);
  expect(tried.text).toContain("A run would submit 1 page. Nothing was changed by this dry run");
  expect(tried.text).toContain("Would be submitted 1 page Would cost 3 credits Left of the month 250 credits");
  expect(tried.text).toContain("New, for example https://example.com/blog/1");
  service.site.serve("/dry.xml", "<html></html>");
  const failed = await press(path, { dry: "yes" });
  expect(failed.text).toContain("The sitemap could not be read. It was no sitemap.");
  expect(await rows()).toEqual(before);
  await press(`${path}/status`, { status: "stopped" });
  expect((await user.get(path)).text).not.toContain("Dry run");
});

test("404: the settings of another account's watch", async () => {
  await watch();
  const [row] = await rows();
  const other = await signedIn(service);
  const path = `${PATH}/${row!.id}`;
  const [form] = (await other.user.get(PATH)).forms.filter(({ action }) => action === PATH);
  expect((await other.user.post(path, form!.fields)).status).toBe(404);
  expect((await rows())[0]).toMatchObject(STORED);
});

const listed = (count: number, name = "page") =>
  urlset(Array.from({ length: count }, (_, no) => `https://example.com/${name}/${no}`));

/** A watch of a sitemap that is read by the buttons of its page. */
async function readWatch(fields: Record<string, string> = {}) {
  const url = service.site.serve("/buttons.xml", listed(40));
  await watch({ url, credits: "120", most: "100", every: "week", new: "submit", changed: "ignore", ...fields });
  const path = `${PATH}/${(await rows())[0]!.id}`;
  /** Presses a button of a page that was opened before. */
  const press = async (page: PageSeen, isRelease = false, more: Record<string, string> = {}) => {
    const form = page.forms.find(
      ({ action, fields: own }) => action === `${path}/run` && own.some(([name]) => name === "release") === isRelease,
    );
    const sent = form!.fields.map(([name, value]) => [name, more[name] ?? value] as const);
    return user.post(`${path}/run`, sent);
  };
  return { path, open: () => user.get(path), press };
}

const spent = async () => 150 - (await balanceOf(service.db, accountId));

test("the buttons of a watch say the most that they spend, and spend no more when the watch may spend more by then", async () => {
  const { path, open, press } = await readWatch({ most: "10" });
  expect((await open()).text).toContain("Read it now, for no credits");
  await press(await open());
  const page = await open();
  expect(page.text).toContain("Read it now, for at most 10 credits");
  service.site.serve("/buttons.xml", listed(55));
  const { watches } = service.db.t;
  await service.db.tx((tx) =>
    tx.q
      .update(watches)
      .set({ mostPerRun: 15 })
      .where(eq(watches.id, path.slice(19)))
      .returning(),
  );
  const refused = await press(page);
  expect([refused.status, await spent()]).toEqual([409, 0]);
  expect(refused.text).toContain("It costs more by now than the button said.");
  expect(refused.text).toContain("Read it now, for at most 15 credits");
  for (const agreed of ["", "-1", "1e9", "14"]) expect((await press(page, false, { agreed })).status).toBe(409);
  expect(await spent()).toBe(0);
  const done = await press(refused);
  expect([done.location, await spent()]).toEqual([`${path}?done=ran`, 15]);
});

test("law: going on with a held watch is for the pages that its page showed, and for at most the price on its button", async () => {
  const { path, open, press } = await readWatch();
  await press(await open());
  service.site.serve("/buttons.xml", listed(65));
  await press(await open());
  const page = await open();
  expect(page.text).toContain("The last run found 25 new, 0 changed");
  expect(page.text).toContain("This is right: continue for at most 25 credits");
  expect(page.text).toContain("Continuing costs at most 25 credits now. 0 of 120 credits of this month are spent.");
  service.site.serve("/buttons.xml", listed(90));
  const changed = await press(page, true);
  expect([changed.location, await spent()]).toEqual([`${path}?done=changed`, 0]);
  const again = await user.follow(changed);
  expect(again.text).toContain("The sitemap was not as this page had shown it.");
  expect(again.text).toContain("This is right: continue for at most 50 credits");
  // A page that was opened before, while the watch is held by something else, releases nothing.
  expect((await press(page, true)).location).toBe(`${path}?done=changed`);
  expect(await spent()).toBe(0);
  const done = await press(again, true);
  expect([done.location, await spent()]).toEqual([`${path}?done=released`, 50]);
});

test("a held watch says what going on costs now, and what the runs that follow cost this month", async () => {
  const { open, press } = await readWatch({ most: "10", credits: "20" });
  await press(await open());
  service.site.serve("/buttons.xml", listed(65));
  await press(await open());
  expect((await open()).text).toContain(
    "Continuing costs at most 10 credits now, and with the runs that follow at most 20 credits this month. 0 of 20 credits of this month are spent.",
  );
});

/** A sitemap of pages, the first of which say that they were modified so many days ago. */
function dated(count: number, ...days: readonly number[]): string {
  const at = (no: number) => new Date(service.clock.service() - days[no]! * DAY).toISOString();
  const entry = (_: unknown, no: number) =>
    `<url><loc>https://example.com/${no}</loc>${no < days.length ? `<lastmod>${at(no)}</lastmod>` : ""}</url>`;
  const entries = Array.from({ length: count }, entry).join("");
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`;
}

test.each([
  [
    "changed often",
    dated(80, ...Array(40).fill(0.5)),
    "80 pages. 40 are new or changed within 30 days, 40 within a day",
    "hour",
    "100",
    "40 credits",
  ],
  [
    "changed lately",
    dated(80, 2, 20, 40),
    "80 pages. 2 are new or changed within 30 days, 0 within a day",
    "day",
    "50",
    "2 credits",
  ],
  [
    "changed long ago",
    dated(80, 90),
    "80 pages. 0 are new or changed within 30 days, 0 within a day",
    "week",
    "50",
    "0 credits",
  ],
])(
  "200: of a sitemap that has %s, the form says size and changes, and proposes what fits; nothing is watched yet",
  async (_, sitemap, facts, every, credits, estimate) => {
    const url = service.site.serve("/look.xml", sitemap);
    const page = await user.submit(await user.get(PATH), { url, look: "yes" }, PATH);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`The sitemap lists ${facts}`);
    expect(page.text).toContain(
      `A month costs about ${estimate} by these dates, and never more than ${credits} credits.`,
    );
    expect(page.html).toContain(`name="every" value="${every}" checked`);
    expect(page.html).toContain(`name="credits" type="number" value="${credits}"`);
    expect(await rows()).toEqual([]);
    await user.submit(page, {}, PATH);
    expect(await rows()).toMatchObject([{ sitemapUrl: url, every, creditsPerMonth: Number(credits) }]);
  },
);

test("200: without dates, a tenth of the pages is proposed, and no month is estimated", async () => {
  const url = service.site.serve("/look.xml", listed(1_000));
  const page = await user.submit(await user.get(`${PATH}?url=${encodeURIComponent(url)}`), { look: "yes" }, PATH);
  expect(page.text).toContain("The sitemap lists 1,000 pages. It does not say when they changed.");
  expect(page.text).toContain("a month can be estimated only after two weeks of runs");
  expect(page.html).toContain('name="credits" type="number" value="150"');
});

test("400: what is no sitemap, or does not answer, is said at the address, and can be watched all the same", async () => {
  for (const url of [
    "example.com",
    "",
    service.site.serve("/no.xml", "<html></html>"),
    `${service.site.url}/gone.xml`,
  ]) {
    const page = await user.submit(await user.get(PATH), { url, look: "yes" }, PATH);
    expect([url, page.status >= 400, page.html.includes('id="url-problem"')]).toEqual([url, true, true]);
    expect(page.text).toContain("Set it up without looking");
  }
});

test("a publish hook is made, shown with its secret once, and removed", async () => {
  await watch();
  const { id } = (await rows())[0]!;
  const path = `${PATH}/${id}`;
  const hook = `http://beckon.test/hooks/${id}`;
  const page = await user.get(path);
  expect(page.text).not.toContain(hook);
  const shown = await user.submit(page, { hook: "new" }, `${path}/hook`);
  expect(shown.text).toContain(hook);
  expect(shown.text.match(/beckon_ph_[\w-]{43}/g)).toHaveLength(2);
  const later = await user.get(path);
  expect(later.text).toContain(hook);
  expect(later.text).not.toContain("beckon_ph_");
  const token = later.forms[0]!.fields.find(([name]) => name === "token")!;
  const removed = await user.post(`${path}/hook`, [token, ["hook", "off"]]);
  expect((await user.follow(removed)).text).toContain("The publish hook is removed.");
  expect((await rows())[0]!.sealedHookSecret).toBeNull();
});
