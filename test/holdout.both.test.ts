import { eq } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { SECTIONS } from "../src/contract/exports/sections.ts";
import { audit } from "../src/domain/audit/audit.ts";
import { keysOf } from "../src/domain/credentials/keys.ts";
import { submitProject } from "../src/domain/projects/experiments/create.ts";
import { approvalsOf, decideApproval } from "../src/domain/spending/approvals.ts";
import { setLimits } from "../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../src/domain/spending/limits.ts";
import { DAY, HOUR } from "../src/platform/clock.ts";
import type { Config } from "../src/platform/config/config.ts";
import { packUrls } from "../src/platform/urls/packed-urls.ts";
import { asOwner } from "./support/database/people.ts";
import { urlset } from "./support/network/sitemap-server.ts";
import { testChecker } from "./support/service/checker.ts";
import { experimenter, pages } from "./support/service/experimenter.ts";
import { testService } from "./support/service/service.ts";
import { verifiedSite } from "./support/visits/verified-site.ts";

const service = await testService();
afterAll(async () => {
  expect((await audit(service.db)).problems).toEqual([]);
  expect(service.errors).toEqual([]);
  await service.close();
});

const tester = (credits?: number) => experimenter(service, credits);

const NOT_YET = { found: null, not_found: null, unknown: null };

test("201: sent pages cost as always and held ones 2 for each 10, told before and spent together", async () => {
  const { account, host, call, get, start, credits, urlsOf } = await tester();
  const urls = pages(host, 125);
  const body = { urls, holdout_percent: 20 };
  const { json: estimate } = await call("POST", "/estimate", body);
  expect(estimate).toMatchObject({ urls: 125, credits: 106, experiment: { sent: 100, held: 25, credits: 6 } });
  expect((await call("POST", "/estimate", { count: 125, holdout_percent: 20 })).json).toMatchObject({ credits: 106 });
  const send = () =>
    service.request("POST", "/projects", { key: account.key, body, headers: { "Idempotency-Key": "one" } });
  const { status, json: receipt } = await send();
  expect([status, receipt.project.counts.total, receipt.project.credits_spent]).toEqual([201, 100, 100]);
  const id = expect.stringMatching(/^exp_[0-9a-z]{20}$/);
  expect(receipt).toMatchObject({ urls_accepted: 125, credits_spent: 106, balance: 894 });
  expect(receipt.experiment).toEqual({ id, sent: 100, held: 25, credits: 6 });
  expect((await send()).text).toBe(JSON.stringify(receipt));
  expect(await credits()).toBe(894);
  const { entries } = await get("/ledger");
  const spent = entries.filter(({ kind }: { kind: string }) => kind === "spend");
  expect(spent.map(({ credits }: { credits: number }) => credits)).toEqual([-6, -100]);
  expect((await get("/account")).usage_today.submissions).toBe(1);
  const experiment = await get(`/experiments/${receipt.experiment.id}`);
  const { project_id, control_project_id } = experiment;
  expect((await get(`/projects/${control_project_id}`)).kind).toBe("check");
  expect([...(await urlsOf(project_id)), ...(await urlsOf(control_project_id))].sort()).toEqual(urls.sort());
  expect((await start({ urls })).json.experiment).toBeUndefined();
});

test("law: no held page is sent before the end, and each is looked up 96 and 336 hours after it would have been sent", async () => {
  const { host, sent, get, start, until, urlsOf, began } = await tester();
  const { json } = await start({ urls: pages(host, 40, "never"), holdout_percent: 50, drip_days: 3 });
  const { control_project_id: control } = await get(`/experiments/${json.experiment.id}`);
  const held = await urlsOf(control);
  await until(18 * DAY);
  expect(sent.length).toBeGreaterThanOrEqual(20);
  expect(sent.filter((url) => held.includes(url))).toEqual([]);
  const { links } = await get(`/projects/${control}/links`);
  expect(new Set(links.map((link: { scheduled_at: string }) => link.scheduled_at)).size).toBe(20);
  for (const link of links) {
    expect(link).toMatchObject({ status: "not_indexed", sent_at: null, engines: { google: { status: "off" } } });
    const { checks } = await get(`/projects/${control}/links/${link.id}`);
    const planned = Date.parse(link.scheduled_at);
    expect(planned - began).toBeLessThan(3 * DAY);
    const hours = checks.map(({ at }: { at: string }) => (Date.parse(at) - planned) / HOUR);
    // A search alone needs a second look half an hour later.
    expect(checks.map(({ look }: { look: string }) => look)).toEqual(["day_4", "day_4", "day_14", "day_14"]);
    const late = [96, 96.5, 336, 336.5].map((hour, at) => Math.abs(hours[at]! - hour));
    expect(Math.max(...late)).toBeLessThan(0.1);
  }
});

test("law: counts and verdict are null until both groups had day 14; then they are told once", async () => {
  const { host, get, start, until } = await tester();
  const urls = [...pages(host, 100), ...pages(host, 50, "only_sent"), ...pages(host, 50, "never")];
  const { json } = await start({ urls, holdout_percent: 20 });
  const experiment = () => get(`/experiments/${json.experiment.id}`);
  const nothing = { difference: null, low: null, high: null, p: null, smallest_lift_seen: null };
  for (const days of [0, 1, 3, 1, 8.9]) {
    await until(days * DAY);
    const early = await experiment();
    expect(early).toMatchObject({ ...nothing, verdict: null, as_of: null });
    expect([early.sent, early.held]).toEqual([
      { n: 160, ...NOT_YET, sent_elsewhere: 0 },
      { n: 40, ...NOT_YET, sent_elsewhere: 0 },
    ]);
  }
  await until(2 * DAY);
  const decided = await experiment();
  expect(decided).toMatchObject({
    object: "experiment",
    sent: { n: 160, found: 120, not_found: 40, unknown: 0, sent_elsewhere: 0 },
    held: { n: 40, found: 20, not_found: 20, unknown: 0, sent_elsewhere: 0 },
    ...{ difference: 25, low: 8.5, high: 41, p: null, verdict: "helped" },
    seed: expect.stringMatching(/^[0-9a-z]{20}$/),
  });
  expect(Date.parse(decided.as_of)).toBeGreaterThan(0);
  const { events } = await get("/events?type=experiment.decided");
  const { project_id, control_project_id } = decided;
  expect(events.map(({ data }: { data: object }) => data)).toEqual([
    {
      experiment_id: json.experiment.id,
      ...{ project_id, control_project_id, verdict: "helped", difference: 25, low: 8.5, high: 41 },
    },
  ]);
});

test("what nobody can look up is unknown in both groups, what has gone is not found, and what was never looked up comes back", async () => {
  const { host, get, start, until } = await tester();
  const urls = [...pages(host, 60), ...pages(host, 40, "silent"), ...pages(host, 20, "withdrawn")];
  const { json } = await start({ urls, holdout_percent: 50 });
  await until(24 * DAY);
  const { sent, held, control_project_id } = await get(`/experiments/${json.experiment.id}`);
  expect([sent, held]).toEqual([
    { n: 60, found: 30, not_found: 10, unknown: 20, sent_elsewhere: 0 },
    { n: 60, found: 30, not_found: 10, unknown: 20, sent_elsewhere: 0 },
  ]);
  expect(await get(`/projects/${control_project_id}`)).toMatchObject({
    status: "completed",
    counts: { indexed: 30, not_indexed: 10, failed: 20 },
    credits_spent: 12,
    credits_returned: 4,
  });
});

test("pages of both groups are read before sending, and those that refuse are in neither share", async () => {
  const { account, host, get, until } = await tester();
  const { clock, db } = service;
  const how = { kind: "index", mode: "standard", bing: false, yandex: false, dripDays: 0, preflight: true } as const;
  const urls = packUrls([...pages(host, 60), ...pages(host, 20, "withdrawn")]);
  const times = { now: clock.now(), service: clock.service() };
  const draft = { ...how, ...times, accountId: account.id, urls, holdoutPercent: 50 };
  const { experiment } = await db.tx((tx) => submitProject(tx, draft));
  await until(15 * DAY);
  const { sent, held, control_project_id } = await get(`/experiments/${experiment!.id}`);
  for (const arm of [sent, held]) expect(arm).toMatchObject({ n: 40, found: 30, not_found: 0, unknown: 10 });
  const { links } = await get(`/projects/${control_project_id}/links?status=failed`);
  expect(links.map((link: { error_code: string }) => link.error_code)).toEqual(Array(10).fill("noindex"));
  expect((await get(`/projects/${control_project_id}`)).credits_returned).toBe(2);
});

test.each([
  ["19 held", { holdout_percent: 19 }, "too_few"],
  ["skip_indexed", { holdout_percent: 50, skip_indexed: true }, "skip_indexed"],
])("400 holdout_not_possible: %s; nothing is spent", async (_, more, reason) => {
  const { host, start, credits } = await tester();
  const { status, json } = await start({ urls: pages(host, 100), ...more });
  expect([status, json.error.code, json.error.reason]).toEqual([400, "holdout_not_possible", reason]);
  expect(await credits()).toBe(1_000);
});

test.each([0, 4, 51, 100, 20.5, "20", -5])("400 invalid_request: holdout_percent %j", async (holdout_percent) => {
  const { host, start, call } = await tester();
  const body = { urls: pages(host, 400), holdout_percent };
  for (const refused of [await start(body), await call("POST", "/estimate", body)])
    expect([refused.status, refused.json.error.code]).toEqual([400, "invalid_request"]);
});

test("400: an estimate refuses what a submission refuses, and a check holds nothing out", async () => {
  const { host, call } = await tester();
  const urls = pages(host, 100);
  const few = await call("POST", "/estimate", { urls, holdout_percent: 19 });
  expect([few.status, few.json.error.reason, few.json.error.held]).toEqual([400, "too_few", 19]);
  const check = await call("POST", "/estimate", { urls, holdout_percent: 20, kind: "check" });
  expect([check.status, check.json.error.issues[0].path]).toEqual([400, "holdout_percent"]);
});

test("400 holdout_not_possible: a provider in use takes sitemaps", async () => {
  const { providers } = service.config;
  const live = { mode: "live", engines: ["search_console"], providers: { ...providers, GOOGLE_SERVICE_ACCOUNT: "{}" } };
  const other = await testService({ config: live as Partial<Config> });
  const count = { count: 100, holdout_percent: 20 };
  const { status, json } = await other.request("POST", "/estimate", { body: count });
  expect([status, json.error.code, json.error.reason]).toEqual([400, "holdout_not_possible", "sitemap_provider"]);
  expect((await other.request("POST", "/estimate", { body: { count: 100 } })).status).toBe(200);
  await other.close();
});

test("402 insufficient_credits: what both groups need is said, and nothing is spent", async () => {
  const { host, start, credits } = await tester(105);
  const body = { urls: pages(host, 125), holdout_percent: 20 };
  const { status, json } = await start(body);
  expect([status, json.error.needed, json.error.balance]).toEqual([402, 106, 105]);
  expect(await credits()).toBe(105);
});

test("403 approval_required: one yes is for both groups, and for this hold-out alone", async () => {
  const { account, host, start, credits } = await tester();
  const holder = (await keysOf(service.db, account.id))[0]!.id;
  const limits = { ...NO_LIMITS, approveAbove: 105 };
  await service.db.tx((tx) => setLimits(tx, { accountId: account.id, holder }, limits));
  const body = { urls: pages(host, 125), holdout_percent: 20 };
  const refused = await start(body);
  expect([refused.status, refused.json.error.needed]).toEqual([403, 106]);
  const [approval] = await approvalsOf(service.db, account.id, 1);
  expect(JSON.parse(approval!.about)).toMatchObject({
    count: 125,
    description: "100 URLs, standard; 25 URLs, held out",
  });
  const decision = { id: approval!.id, isApproved: true, now: service.clock.now() };
  await service.db.tx((tx) => decideApproval(tx, account.id, decision));
  expect((await start({ ...body, holdout_percent: 16 })).status).toBe(403);
  expect((await start({ urls: body.urls })).status).toBe(403);
  expect((await start(body)).status).toBe(201);
  expect((await start(body)).status).toBe(403);
  expect(await credits()).toBe(894);
});

describe("a watch", () => {
  /** The site of the service, which watches can read. */
  const site = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${service.site.url}/${name}/${at}?sandbox=day_4`);

  test("400 holdout_not_possible: one that submits has the host; one that lists does not matter", async () => {
    const { call, start } = await tester();
    const sitemap_url = service.site.serve("/listed.xml", urlset(site("a", 2)));
    const watch = { sitemap_url, new_pages: "list", changed_pages: "ignore" };
    const { json } = await call("POST", "/watches", watch);
    const body = { urls: site("a", 100), holdout_percent: 20 };
    const change = (more: object) => call("POST", "/watches", { watch_id: json.watch.id, ...more });
    await change({ new_pages: "submit" });
    const refused = await start(body);
    expect([refused.status, refused.json.error]).toMatchObject([
      400,
      { code: "holdout_not_possible", reason: "watch_submits", watch_id: json.watch.id },
    ]);
    expect((await call("POST", "/estimate", body)).json.error.reason).toBe("watch_submits");
    expect((await start({ ...body, urls: pages("elsewhere.example", 100) })).status).toBe(201);
    await change({ new_pages: "list" });
    expect((await start(body)).status).toBe(201);
  });

  test("law: one that is made later leaves held pages waiting until the end, and takes them then", async () => {
    const { call, get, start, until, urlsOf } = await tester();
    const urls = site("later", 100);
    const { json } = await start({ urls, holdout_percent: 20 });
    const { control_project_id } = await get(`/experiments/${json.experiment.id}`);
    const held = await urlsOf(control_project_id);
    const sitemap_url = service.site.serve("/later.xml", urlset([...urls, `${service.site.url}/new?sandbox=day_4`]));
    const { json: made } = await call("POST", "/watches", { sitemap_url, first_run: "submit", most_per_run: 500 });
    const run = async () => (await call("POST", `/watches/${made.watch.id}/run`, {})).json.run;
    expect(await run()).toMatchObject({ submitted: 1, waiting: 20, reason: "held_out" });
    service.clock.pass(HOUR);
    expect(await run()).toMatchObject({ submitted: 0, waiting: 20, reason: "held_out" });
    await until(16 * DAY);
    const last = await run();
    expect(last).toMatchObject({ submitted: 20, waiting: 0, reason: null });
    expect((await urlsOf(last.project_id)).sort()).toEqual(held.sort());
  });
});

test("notify_urls tells engines of no held page before the end", async () => {
  const { account, host, call, get, start, until, urlsOf } = await tester();
  await verifiedSite(service, account.id, host);
  const { json } = await start({ urls: pages(host, 40), holdout_percent: 50 });
  const { control_project_id, project_id } = await get(`/experiments/${json.experiment.id}`);
  const [held, sent] = [await urlsOf(control_project_id), await urlsOf(project_id)];
  const details = async () => {
    const { json: answer } = await call("POST", "/notifications", { urls: [held[0], sent[0]], event: "updated" });
    return answer.receipts.map(({ engines }: { engines: { bing: object; yandex: object } }) => engines);
  };
  const skipped = { status: "skipped", detail: "held_out" };
  const told = { status: "sent", detail: "sandbox" };
  expect(await details()).toEqual([
    { bing: skipped, yandex: skipped },
    { bing: told, yandex: told },
  ]);
  await until(15 * DAY);
  expect(await details()).toEqual([
    { bing: told, yandex: told },
    { bing: told, yandex: told },
  ]);
});

test("a page that somebody submits by name is sent, and the experiment says so; in other projects before and after, too", async () => {
  const { host, sent, get, start, until, urlsOf } = await tester();
  const urls = pages(host, 100);
  await start({ urls: urls.slice(0, 30), drip_days: 30 });
  const { json } = await start({ urls, holdout_percent: 20 });
  const experiment = () => get(`/experiments/${json.experiment.id}`);
  const held = await urlsOf((await experiment()).control_project_id);
  const mine = held.filter((url) => urls.indexOf(url) >= 30).slice(0, 3);
  await start({ urls: mine });
  await until(HOUR);
  expect(mine.filter((url) => sent.includes(url))).toEqual(mine);
  expect((await experiment()).held.sent_elsewhere).toBeGreaterThanOrEqual(3);
  await until(15 * DAY);
  const decided = await experiment();
  const byDrip = held.filter((url) => urls.indexOf(url) < 15).length;
  expect(decided.held.sent_elsewhere).toBeGreaterThanOrEqual(3 + byDrip - 1);
  expect(decided.held.n).toBe(20);
  await start({ urls: held });
  await until(DAY);
  expect(await experiment()).toEqual(decided);
});

test("skip_already_submitted leaves held pages out until the end", async () => {
  const { call, get, until } = await tester();
  const urls = Array.from({ length: 100 }, (_, at) => `${service.site.url}/walk/${at}?sandbox=never`);
  const sitemap_url = service.site.serve("/walk.xml", urlset(urls));
  const first = await call("POST", "/projects/from-sitemap", { sitemap_url, holdout_percent: 20 });
  expect([first.status, first.json.urls_accepted, first.json.credits_spent]).toEqual([201, 100, 84]);
  expect(first.json.experiment).toMatchObject({ sent: 80, held: 20, credits: 4 });
  const again = { sitemap_url, skip_already_submitted: true };
  expect((await call("POST", "/projects/from-sitemap", again)).json).toMatchObject({
    project: null,
    already_submitted: 100,
  });
  await until(16 * DAY);
  expect((await get(`/experiments/${first.json.experiment.id}`)).as_of).not.toBeNull();
  const after = await call("POST", "/projects/from-sitemap", again);
  expect(after.json).toMatchObject({ already_submitted: 80, urls_accepted: 20, credits_spent: 20 });
});

test("cancelled: lookups that were not made come back, and with nothing left nothing is said", async () => {
  const { host, call, get, start, until, credits } = await tester();
  const { json } = await start({ urls: pages(host, 100), holdout_percent: 20 });
  const experiment = () => get(`/experiments/${json.experiment.id}`);
  const { control_project_id, project_id } = await experiment();
  await call("POST", `/projects/${control_project_id}/cancel`, {});
  expect(await credits()).toBe(920);
  expect((await experiment()).verdict).toBeNull();
  await until(15 * DAY);
  expect(await experiment()).toMatchObject({
    sent: { n: 80, found: 80, unknown: 0 },
    held: { n: 20, found: 0, not_found: 0, unknown: 20 },
    ...{ difference: null, low: null, high: null, verdict: "cannot_tell" },
  });
  expect((await get(`/projects/${project_id}`)).status).toBe("completed");
});

test("an export has the experiments of its account, and no others", async () => {
  const { account, host, start } = await tester();
  const { json } = await start({ urls: pages(host, 40), holdout_percent: 50 });
  const { db, config, clock } = service;
  const source = { db, config, ...(await asOwner(db, account.id)), service: clock.service() };
  const records = [];
  for await (const batch of SECTIONS.experiments.batches(source)) records.push(...batch);
  expect(records).toMatchObject([{ id: json.experiment.id, project_id: json.project.id, verdict: null }]);
});

test("404 not_found: an experiment of another account", async () => {
  const { host, start } = await tester();
  const { json } = await start({ urls: pages(host, 40), holdout_percent: 50 });
  const other = await tester();
  const { status, json: refused } = await other.call("GET", `/experiments/${json.experiment.id}`);
  expect([status, refused.error.code]).toEqual([404, "not_found"]);
});

test("law: the audit names a held page that was sent, and an experiment that was decided too early", async () => {
  const own = await testService();
  const { key } = await own.account({ credits: 200 });
  const body = { urls: pages("audited.example", 40), holdout_percent: 50 };
  const { json } = await own.request("POST", "/projects", { key, body });
  const { experiments, links, projects } = own.db.t;
  const [row] = await own.db.q.select().from(experiments);
  const problems = async () => (await audit(own.db)).problems;
  expect(await problems()).toEqual([]);
  const name = `experiment ${json.experiment.id}`;
  const control = row!.controlNo * 2 ** 14;
  const set = (sentAt: number | null) =>
    own.db.tx((tx) => tx.q.update(links).set({ sentAt }).where(eq(links.id, control)));
  await set(1);
  expect(await problems()).toEqual([`${name}: 1 held pages were sent`]);
  await set(null);
  await own.db.tx((tx) => tx.q.update(experiments).set({ decidedAt: 1, openArms: 0 }));
  expect(await problems()).toEqual([
    `${name}: projects that are not completed is 0, should be 2`,
    `${name}: whether it is decided is true, should be false`,
    `${name}: lists of held pages is 1, should be 0`,
  ]);
  await own.db.tx((tx) => tx.q.update(experiments).set({ decidedAt: null, openArms: 2 }));
  await testChecker(own).until(own.clock.service() + 15 * DAY);
  expect(await problems()).toEqual([]);
  const early = row!.createdAt + DAY;
  await own.db.tx((tx) => tx.q.update(projects).set({ completedAt: early }).where(eq(projects.no, row!.controlNo)));
  expect((await problems()).filter((each) => each.startsWith(name))).toEqual([
    expect.stringMatching(/: project prj_\w+ was completed before day 14$/),
  ]);
  await own.close();
});
