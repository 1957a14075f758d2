import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { foldCoverage } from "../../../../../src/domain/coverage/fold.ts";
import { createShare, endShare } from "../../../../../src/domain/shares/shares.ts";
import { DAY, MINUTE } from "../../../../../src/platform/clock.ts";
import { formatNumber } from "../../../../../src/platform/format.ts";
import { LIMITS } from "../../../../../src/platform/limits.ts";
import { ownerPrincipal } from "../../../../support/database/people.ts";
import { testChecker } from "../../../../support/service/checker.ts";
import { testService } from "../../../../support/service/service.ts";
import { type PageSeen, User } from "../../../../support/website/user.ts";

const service = await testService();
const { db, clock } = service;
afterAll(() => service.close());

let account: { id: string; key: string };
let projectId: string;

/** A project of 40 pages on two hosts, of which some are never found. */
beforeAll(async () => {
  account = await service.account({ credits: 1_000 });
  const fates = ["hour", "day_4", "day_14", "never"];
  const urls = Array.from(
    { length: 60 },
    (_, i) => `https://${i < 50 ? "www" : "blog"}.shop.example/${i}?sandbox=${fates[i % 4]}`,
  );
  const body = { urls, name: "My spring list" };
  projectId = (await service.request("POST", "/projects", { key: account.key, body })).json.project.id;
  await testChecker(service).until(clock.service() + 16 * DAY);
  await foldCoverage(db);
});
beforeEach(() => clock.pass(10 * MINUTE));

const subject = { projectId: null as string | null, host: null as string | null };
const share = async (given: Partial<typeof subject> & { title?: string; from?: string }) => {
  const caller = await ownerPrincipal(db, account.id);
  const made = { ...subject, title: "Spring pages", from: "", days: 30, ...given, caller, now: clock.now() };
  const { row, secret } = await db.tx((tx) => createShare(tx, made));
  return { row, path: `/shared/${secret}` };
};
const visit = (path: string) => new User(service).get(path);
const read = async (path: string) => (await service.request("GET", path, { key: account.key })).json;

test("200: the numbers of a project's page are the ones of get_project and get_report", async () => {
  const { path } = await share({ projectId, from: "An agency" });
  const { status, text } = await visit(path);
  expect(status).toBe(200);
  const project = await read(`/projects/${projectId}`);
  const report = await read(`/projects/${projectId}/report`);
  const counted = (finding: string) =>
    report.groups
      .filter((group: { status: string }) => group.status === finding)
      .reduce((sum: number, { count }: { count: number }) => sum + count, 0);
  expect(counted("indexed")).toBe(45);
  expect(text).toContain(`${counted("indexed")} of ${project.counts.total} in Google (75%)`);
  const early = report.found_by_day.filter(({ day }: { day: number }) => day <= 4);
  const sum = early.reduce((all: number, { count }: { count: number }) => all + count, 0);
  expect(text).toContain(`${formatNumber(sum)} found by day 4`);
  for (const group of report.groups.filter((one: { status: string }) => one.status !== "indexed"))
    expect(text).toContain(group.next_step);
  for (const { host, total, indexed } of report.by_host) expect(text).toContain(`${host} ${total} ${indexed}`);
  expect(text).toContain("From An agency");
  // All URLs, a page after the other.
  expect(text).toContain("https://www.shop.example/0?sandbox=hour");
  expect((await visit(`${path}?page=2`)).text).toContain("https://blog.shop.example/59?sandbox=never");
});

test("200: the numbers of a site's page are the ones of get_coverage", async () => {
  const { path } = await share({ host: "www.shop.example", title: "Our shop" });
  const { text, html } = await visit(path);
  const [host] = (await read("/coverage?host=www.shop.example")).hosts;
  expect(host.pages).toBe(50);
  expect(text).toContain(`${host.in_google} of ${host.pages} pages in Google`);
  for (const { count } of host.reasons) expect(text).toContain(` ${count} `);
  expect(html).toContain(`${host.in_google} of ${host.pages} at last`);
});

test("law: it sets no cookie, is not kept, indexed or framed, and tells nobody where its reader came from", async () => {
  const { path } = await share({ projectId });
  const { headers, html } = await visit(path);
  expect(headers.get("set-cookie")).toBeNull();
  expect(headers.get("cache-control")).toBe("private, no-store");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("x-robots-tag")).toContain("noindex");
  expect(headers.get("content-security-policy")).toContain("form-action 'none'");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(html).toContain('<meta name="robots" content="noindex"');
});

test("law: it says nothing of the account but the results", async () => {
  const { path } = await share({ projectId });
  const { html } = await visit(path);
  const me = await read("/account");
  for (const own of [account.id, account.key, me.email, "My spring list", projectId, path, "credit"])
    expect([own, html.toLowerCase().includes(own.toLowerCase())]).toEqual([own, false]);
});

describe("404: one answer for what is", () => {
  let unknown: PageSeen;
  beforeAll(async () => {
    unknown = await visit(`/shared/shs_${"A".repeat(43)}`);
  });
  const isSame = ({ status, html, headers }: PageSeen) => {
    expect([status, html]).toEqual([404, unknown.html]);
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  };

  test("unknown, or no secret at all", async () => {
    isSame(unknown);
    for (const path of ["/shared/x", `/shared/ses_${"A".repeat(43)}`, `/shared/${"x".repeat(5_000)}`])
      isSame(await visit(path));
  });

  test("ended, or past its end", async () => {
    const { row, path } = await share({ projectId });
    const old = await share({ projectId });
    expect((await visit(path)).status).toBe(200);
    const caller = await ownerPrincipal(db, account.id);
    await db.tx((tx) => endShare(tx, { caller, id: row.id, now: clock.now() }));
    isSame(await visit(path));
    clock.pass(30 * DAY);
    isSame(await visit(old.path));
  });

  test("of a project that is gone", async () => {
    isSame(await visit((await share({ projectId: "prj_0123456789abc" })).path));
  });
});

test("429: an address that tries too many links, right or wrong", async () => {
  const { path } = await share({ projectId });
  const user = new User(service);
  for (let tried = 0; tried < LIMITS.share_views.count; tried++) await user.get(`/shared/shs_${"B".repeat(43)}`);
  const { status, headers } = await user.get(path);
  expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true]);
});

test("what its maker wrote is text", async () => {
  const { path } = await share({ projectId, title: "<script>x</script>", from: "\u202e<b>a</b>" });
  const { html } = await visit(path);
  expect(html).not.toContain("<script>x");
  expect(html).not.toContain("<b>a");
});
