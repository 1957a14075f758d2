import { eq } from "drizzle-orm";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { audit } from "../src/domain/audit/audit.ts";
import { revokeKeyOf } from "../src/domain/credentials/keys.ts";
import { revokeAccess } from "../src/domain/users/revoke-access.ts";
import { nextRunAt } from "../src/domain/watches/schedule.ts";
import { Watcher } from "../src/indexing/watches/watcher.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../src/platform/clock.ts";
import {
  type DocumentedCall,
  ghost,
  netlify,
  sanity,
  strapi,
  vercel,
  wordpress,
  wordpressForm,
} from "./support/hooks/documented-calls.ts";
import { testService } from "./support/service/service.ts";
import { type Page, sitemapOf, VirtualSite } from "./support/watches/virtual-site.ts";

const service = await testService();
const web = new VirtualSite();
afterEach(async () => {
  expect((await audit(service.db)).problems).toEqual([]);
  expect(service.errors).toEqual([]);
});
afterAll(() => service.close());

const { db, clock, config, errors } = service;
const now = () => clock.now();

/** Addresses that were read, in order. */
const reads: string[] = [];
const http: typeof web.http = {
  ...web.http,
  fetchPublic: (url, options) => {
    reads.push(url);
    return web.http.fetchPublic(url, options);
  },
};

/** Lets the pages that were named gather, and does what the service does every few seconds. */
async function drain(): Promise<void> {
  clock.pass(20 * SECOND);
  const watcher = new Watcher({ db, clock, config, http }, { error: (details) => errors.push(details) });
  await watcher.drain();
  await watcher.stop();
}

let hosts = 0;

/** A watch of a site with 3 pages that has read its sitemap, and its hook. */
async function hookedSite(settings: object = {}, credits = 100) {
  const host = `cms-${++hosts}.example`;
  const account = await service.account({ credits });
  const page = (name: string) => `https://${host}/${name}`;
  const listed = ["a", "b", "c"].map((name): Page => ({ url: page(name), lastmod: "2025-12-01" }));
  const sitemap = page("sitemap.xml");
  const serve = (pages: readonly Page[]) => web.serve(sitemap, sitemapOf(pages));
  serve(listed);
  const save = async (body: object) =>
    (await service.request("POST", "/watches", { key: account.key, body: { sitemap_url: sitemap, ...body } })).json;
  const made = await save({ every: "week", ...settings, hook: "new" });
  // If the time of the week that is its own is near, it passes first. Only the hook has the sitemap read in the next minutes.
  if (nextRunAt(made.watch.id, "week", now()) - now() < HOUR) clock.pass(HOUR);
  await drain();
  clock.pass(MINUTE);
  const { id, hook_url } = made.watch;
  const address = (secret?: string) => `${service.url}${new URL(hook_url).pathname}${secret ? `/${secret}` : ""}`;
  const call = async ({ headers, body }: DocumentedCall | { headers?: undefined; body?: undefined }, to?: string) => {
    const init = { method: "POST", ...(headers ? { headers } : {}), ...(body === undefined ? {} : { body }) };
    const response = await fetch(to ?? address(made.hook_secret), init);
    return { status: response.status, headers: response.headers, json: await response.json() };
  };
  const named = (body: unknown) =>
    call({ headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const read = async () => (await service.request("GET", `/watches/${id}`, { key: account.key })).json;
  const urls = async () => {
    const { projects } = (await service.request("GET", "/projects", { key: account.key })).json;
    const lists: string[][] = [];
    for (const project of projects.reverse()) {
      const { links } = (await service.request("GET", `/projects/${project.id}/links`, { key: account.key })).json;
      lists.push(links.map(({ url }: { url: string }) => url));
    }
    return lists;
  };
  /** What the runs since the baseline came to, oldest first. */
  const runs = async () => (await read()).runs.slice(0, -1).reverse();
  const secret: string = made.hook_secret;
  /** How often its sitemap was read since the first time. */
  const readings = () => reads.filter((url) => url === sitemap).length - 1;
  return {
    account,
    host,
    page,
    listed,
    serve,
    save,
    made,
    id,
    secret,
    address,
    call,
    named,
    read,
    urls,
    runs,
    readings,
  };
}

describe("the secret", () => {
  test("201: it is told once, sealed, and ends with the next one or when the hook is removed", async () => {
    const site = await hookedSite();
    expect(site.made).toMatchObject({
      watch: { hook_url: `http://beckon.test/hooks/${site.id}` },
      hook_secret: expect.stringMatching(/^beckon_ph_[\w-]{43}$/),
    });
    expect(JSON.stringify(await db.q.select().from(db.t.watches))).not.toContain(site.secret);
    expect(await site.save({})).toMatchObject({ watch: { hook_url: site.made.watch.hook_url }, hook_secret: null });
    const next = await site.save({ hook: "new" });
    expect((await site.call({})).status).toBe(401);
    expect((await site.call({}, site.address(next.hook_secret))).status).toBe(202);
    expect(await site.save({ hook: "off" })).toMatchObject({ watch: { hook_url: null }, hook_secret: null });
    expect((await site.call({}, site.address(next.hook_secret))).status).toBe(404);
    const { activity } = (await service.request("GET", "/activity", { key: site.account.key })).json;
    const kinds = activity.map(({ kind }: { kind: string }) => kind).filter((kind: string) => kind.startsWith("hook"));
    expect(kinds).toEqual(["hook_removed", "hook_made", "hook_made"]);
  });

  test("404, 401: nothing is done without it, by another one, or for a hook that there is none of", async () => {
    const site = await hookedSite();
    const other = await hookedSite();
    const forged = { url: site.page("new"), secret: other.secret, now: now() };
    const statuses = [
      await site.call({}, site.address()),
      await site.call({}, site.address(other.secret)),
      await site.call({ headers: { Authorization: "Bearer x" }, body: "" }, site.address()),
      ...(await Promise.all([ghost, sanity, netlify].map((sender) => site.call(sender(forged), site.address())))),
      await site.call(vercel(forged), site.address()),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 401]);
    expect((await site.call({}, `${service.url}/hooks/wat_00000000000000000000/${site.secret}`)).status).toBe(404);
    expect((await site.call({}, `${service.url}/hooks/`)).status).toBe(404);
    const got = await fetch(site.address(site.secret));
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
    await drain();
    expect(await site.runs()).toEqual([]);
  });

  test("401: a signature of another body, of no sender, of another algorithm, or of more than an hour ago", async () => {
    const site = await hookedSite();
    const call = { url: site.page("new"), secret: site.secret, now: now() };
    const [, payload] = netlify(call).headers["X-Webhook-Signature"]!.split(".");
    const head = Buffer.from('{"alg":"none"}').toString("base64url");
    const refused = [
      { ...ghost(call), body: ghost({ ...call, url: site.page("else") }).body },
      { ...sanity(call), body: `${sanity(call).body} ` },
      { ...netlify(call), body: "{}" },
      { ...netlify(call), headers: { ...netlify(call).headers, "X-Webhook-Signature": `${head}.${payload}.` } },
      { ...netlify(call), headers: { ...netlify(call).headers, "X-Webhook-Signature": "a.b.c.d" } },
      ghost({ ...call, now: now() - HOUR - 1 }),
      sanity({ ...call, now: now() - HOUR - 1 }),
      sanity({ ...call, now: now() + HOUR + SECOND }),
    ];
    for (const one of refused) expect((await site.call(one, site.address())).status).toBe(401);
    expect((await site.call(ghost({ ...call, now: now() - HOUR + SECOND }), site.address())).status).toBe(202);
  });
});

describe("a call as its sender documents it", () => {
  test.each([
    ["Ghost", ghost, "signed"],
    ["Sanity", sanity, "signed"],
    ["WordPress by our snippet", wordpress, "secret address"],
    ["WordPress by a plugin with forms", wordpressForm, "secret address"],
  ] as const)("202: %s names a page, which is submitted within the limits of the watch", async (_, sender, proof) => {
    const site = await hookedSite();
    const call = sender({ url: site.page("new"), secret: site.secret, now: now() });
    const answer = await site.call(call, site.address(proof === "signed" ? undefined : site.secret));
    expect([answer.status, answer.json]).toEqual([202, { watch_id: site.id, pages: 1, left_out: 0 }]);
    await drain();
    expect(await site.urls()).toEqual([[site.page("new")]]);
    expect(await site.runs()).toMatchObject([{ result: "done", new: 1, submitted: 1, credits_spent: 1 }]);
    expect((await site.read()).watch).toMatchObject({ pages: 3, spent_this_month: 1 });
  });

  test.each([
    ["Netlify", netlify, "signed"],
    ["Vercel, which signs with a secret of its own", vercel, "secret address"],
    ["Vercel, signed with ours", (one: Parameters<typeof vercel>[0]) => vercel(one, one.secret), "signed"],
    ["Strapi", strapi, "signed"],
    ["Ghost for a draft", (one: Parameters<typeof ghost>[0]) => ghost(one, "draft"), "signed"],
    ["nobody, without a body", () => ({}), "secret address"],
  ] as const)("202: %s names no page, and the sitemap is read", async (_, sender, proof) => {
    const site = await hookedSite();
    site.serve([...site.listed, { url: site.page("new") }]);
    const call = sender({ url: site.page("else"), secret: site.secret, now: now() });
    const answer = await site.call(call, site.address(proof === "signed" ? undefined : site.secret));
    expect([answer.status, answer.json]).toMatchObject([202, { watch_id: site.id, pages: 0 }]);
    await drain();
    expect(await site.urls()).toEqual([[site.page("new")]]);
  });
});

describe("the pages that are named", () => {
  test("of the host of the watch alone, which its patterns let through; of another host, the sitemap is read", async () => {
    const site = await hookedSite({ exclude: ["/private/"] });
    const left = ["https://other.example/x", `http://www.${site.host}/x`, site.page("private/x"), "javascript:x", ""];
    const urls = [...left, site.page("x?b=1&a=2"), site.page("x?b=1&a=2")];
    expect((await site.named({ urls })).json).toEqual({ watch_id: site.id, pages: 1, left_out: left.length });
    await drain();
    expect(await site.urls()).toEqual([[site.page("x?b=1&a=2")]]);
    expect(site.readings()).toBe(0);
    expect((await site.named({ urls: left })).json).toEqual({ watch_id: site.id, pages: 0, left_out: left.length });
    await drain();
    expect(site.readings()).toBe(1);
    expect(await site.urls()).toHaveLength(1);
  });

  test("which the sitemap lists already are changed ones: engines are notified, and nothing is spent", async () => {
    const site = await hookedSite();
    await site.named({ url: site.page("a") });
    await drain();
    expect(await site.urls()).toEqual([]);
    expect(await site.runs()).toMatchObject([{ result: "done", new: 0, changed: 1, submitted: 0, credits_spent: 0 }]);
  });

  test("which have changed and would be submitted: the date in the sitemap says so, once, however often the call comes", async () => {
    const site = await hookedSite({ changed_pages: "submit" });
    site.serve([{ url: site.page("a"), lastmod: "2026-01-02" }, ...site.listed.slice(1)]);
    for (let calls = 0; calls < 3; calls++) {
      await site.named({ url: site.page("a") });
      await drain();
      clock.pass(MINUTE);
      await drain();
    }
    expect(await site.urls()).toEqual([[site.page("a")]]);
  });

  test("are submitted once: replayed, named twice at once, and listed by the sitemap later", async () => {
    const site = await hookedSite();
    const call = ghost({ url: site.page("new"), secret: site.secret, now: now() });
    await Promise.all([site.call(call, site.address()), site.call(call, site.address())]);
    await drain();
    expect((await site.call(call, site.address())).status).toBe(202);
    await drain();
    site.serve([...site.listed, { url: site.page("new"), lastmod: "2026-01-03" }]);
    clock.pass(8 * DAY);
    await drain();
    expect(await site.urls()).toEqual([[site.page("new")]]);
    expect((await site.read()).watch).toMatchObject({ pages: 4, waiting: 0, spent_this_month: 1 });
  });

  test("by many calls are one submission, and the sitemap is not read for them", async () => {
    const site = await hookedSite();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, no) => site.named({ url: site.page(`bulk-${no}`) })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    await drain();
    expect((await site.urls()).map((list) => list.length)).toEqual([40]);
  });

  test("beyond the limits of the watch are left for its sitemap, which is told", async () => {
    const site = await hookedSite({ most_per_run: 2, credits_per_month: 3 });
    const names = ["1", "2", "3", "4"].map(site.page);
    await site.named({ urls: names.slice(0, 3) });
    await drain();
    expect(await site.runs()).toMatchObject([{ submitted: 2, reason: "most_per_run", waiting: 1 }]);
    await site.named({ urls: names.slice(2) });
    await drain();
    expect((await site.runs()).at(-1)).toMatchObject({ submitted: 1, reason: "credits_per_month", waiting: 1 });
    const { events } = (await service.request("GET", "/events", { key: site.account.key })).json;
    expect(events.map(({ type }: { type: string }) => type)).toContain("watch.budget_spent");
    site.serve([...site.listed, ...names.map((url) => ({ url }))]);
    clock.pass(31 * DAY);
    await drain();
    expect((await site.urls()).flat().sort()).toEqual([...names].sort());
  });

  test("by a watch that lists new pages only cost nothing", async () => {
    const site = await hookedSite({ new_pages: "list" });
    await site.named({ url: site.page("new") });
    await drain();
    expect([await site.urls(), await site.runs()]).toEqual([[], []]);
  });

  test("before the sitemap was ever read: it is read first, since nobody knows which are new", async () => {
    const site = await hookedSite();
    await site.save({ status: "stopped" });
    const { hook_secret } = await site.save({ status: "active", hook: "new" });
    const call = { headers: { "Content-Type": "application/json" }, body: JSON.stringify({ url: site.page("a") }) };
    expect((await site.call(call, site.address(hook_secret))).json).toMatchObject({ pages: 0 });
    clock.pass(HOUR);
    await drain();
    expect(await site.urls()).toEqual([]);
  });
});

describe("a hook that is called", () => {
  test("again and again has the sitemap read once a minute, and the last call is answered by a reading", async () => {
    const site = await hookedSite();
    for (let calls = 0; calls < 10; calls++) await site.call({});
    await drain();
    expect(site.readings()).toBe(1);
    site.serve([...site.listed, { url: site.page("new") }]);
    for (let calls = 0; calls < 10; calls++) await site.call({});
    await drain();
    expect(site.readings()).toBe(1);
    clock.pass(MINUTE);
    await drain();
    expect(site.readings()).toBe(2);
    expect(await site.urls()).toEqual([[site.page("new")]]);
  });

  test("429: a thousand times a minute", async () => {
    const site = await hookedSite();
    const statuses: number[] = [];
    for (let calls = 0; calls < 130; calls++) statuses.push((await site.call({})).status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(120);
    const refused = await site.call({});
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    clock.pass(MINUTE);
  });

  test("while the sitemap is read, by run_watch and by the watcher: each spends what it has spent, once", async () => {
    const site = await hookedSite({ every: "hour" });
    site.serve([...site.listed, { url: site.page("listed") }]);
    await site.named({ url: site.page("named") });
    clock.pass(20 * SECOND);
    const run = service.request("POST", `/watches/${site.id}/run`, { key: site.account.key, body: {} });
    await Promise.all([run, drain()]);
    await drain();
    expect((await site.urls()).flat()).toContain(site.page("named"));
  });

  test("413, 415, 400: with more than 1 MB, another type, or what is not JSON", async () => {
    const site = await hookedSite();
    const type = (name: string) => ({ "Content-Type": name });
    const bodies: [DocumentedCall, number][] = [
      [{ headers: type("application/json"), body: JSON.stringify({ x: "x".repeat(1024 * 1024) }) }, 413],
      [{ headers: type("text/plain"), body: site.page("new") }, 415],
      [{ headers: type("image/png"), body: "x" }, 415],
      [{ headers: { ...type("application/json"), "Content-Encoding": "gzip" }, body: "x" }, 415],
      [{ headers: type("application/json"), body: "{" }, 400],
      [{ headers: type("application/json"), body: "[".repeat(100) }, 400],
    ];
    for (const [call, status] of bodies) expect((await site.call(call)).status).toBe(status);
    for (const body of ["null", "[]", "3", '"x"', '{"url":{"url":1},"urls":[[1],{},null],"post":{"current":[]}}'])
      expect((await site.call({ headers: type("application/json"), body })).json).toMatchObject({ pages: 0 });
    const many = Array.from({ length: 10_001 }, (_, no) => site.page(String(no)));
    expect((await site.named({ urls: many })).json).toEqual({ watch_id: site.id, pages: 10_000, left_out: 1 });
    expect((await site.named({ urls: [site.page("more")] })).json).toMatchObject({ pages: 0, left_out: 1 });
    await site.save({ status: "stopped" });
  });

  test("400, 404: of a watch that is paused or stopped", async () => {
    const site = await hookedSite();
    await site.named({ url: site.page("before") });
    await site.save({ status: "paused" });
    const refused = await site.call({});
    expect([refused.status, refused.json.error.message]).toEqual([400, expect.stringContaining("paused")]);
    await drain();
    expect(await site.urls()).toEqual([]);
    await site.save({ status: "active" });
    expect((await site.call({})).status).toBe(202);
    clock.pass(HOUR);
    await drain();
    expect(await site.urls()).toEqual([]);
    await site.save({ status: "stopped" });
    expect((await site.call({})).status).toBe(404);
  });

  test("202: of a watch that is held reads the sitemap, and takes no page", async () => {
    const site = await hookedSite();
    const { watches } = db.t;
    await site.named({ url: site.page("before") });
    await db.tx((tx) => tx.q.update(watches).set({ status: "held" }).where(eq(watches.id, site.id)));
    expect((await site.named({ url: site.page("new") })).json).toMatchObject({ pages: 0, left_out: 1 });
    await drain();
    expect(await site.urls()).toEqual([]);
  });

  test("403: of an account that the operator has disabled", async () => {
    const site = await hookedSite();
    await site.named({ url: site.page("before") });
    const { watches, accounts } = db.t;
    // Without pausing its watches: the account itself is asked.
    const disabled = { disabledReason: "abuse" };
    await db.tx((tx) => tx.q.update(accounts).set(disabled).where(eq(accounts.id, site.account.id)));
    expect((await site.call({})).status).toBe(403);
    await drain();
    expect(await site.urls()).toEqual([]);
    const [row] = await db.q.select().from(watches).where(eq(watches.id, site.id));
    expect(row).toMatchObject({ status: "paused", reason: "account_disabled" });
  });

  test("404: the hook ends with its maker, and with everything that acts without a password", async () => {
    const revoked = await hookedSite();
    const [key] = await db.q.select().from(db.t.apiKeys).where(eq(db.t.apiKeys.accountId, revoked.account.id));
    const end = { keyId: key!.id, ip: "127.0.0.1", now: now() };
    await db.tx((tx) => revokeKeyOf(tx, revoked.account.id, end));
    expect((await revoked.call({})).status).toBe(404);
    const closed = await hookedSite();
    const by = { by: "password", ip: "127.0.0.1", now: now() } as const;
    await db.tx((tx) => revokeAccess(tx, { accountId: closed.account.id }, by as never));
    expect((await closed.call({})).status).toBe(404);
  });
});
