import { afterAll, expect, test } from "vitest";
import { createKey } from "../../../../../src/domain/credentials/keys.ts";
import { DAY } from "../../../../../src/platform/clock.ts";
import { pages } from "../../../../support/database/store.ts";
import { testChecker } from "../../../../support/service/checker.ts";
import { testService } from "../../../../support/service/service.ts";
import { HOSTILE, projectOf } from "../../../../support/website/account-fixtures.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

test("200 /dashboard/projects/:id/links/:linkId: every fact that get_link answers", async () => {
  const { user, accountId } = await signedIn(service);
  const id = await projectOf(service, accountId, pages(1, "never"), { name: HOSTILE });
  await testChecker(service).until(service.clock.service() + 15 * DAY);
  const { db, clock } = service;
  await db.tx((tx) => tx.q.update(tx.t.sessions).set({ lastSeenAt: clock.now(), createdAt: clock.now() }).returning());
  const key = await db.tx((tx) => createKey(tx, { accountId, name: "k", mode: "sandbox", now: clock.now() }));
  const linkId = `lnk_${id.slice(4)}_0`;
  const { json: link } = await service.request("GET", `/projects/${id}/links/${linkId}`, { key });

  const { text, html } = await user.get(`/dashboard/projects/${id}/links/${linkId}`);
  expect(html).not.toContain("<b onclick");
  expect(text).toContain("Not in Google: credits back");
  for (const fact of [link.id, link.url, link.status]) expect(text).toContain(fact);
  expect(text).toContain("1 spent, 1 returned");
  for (const at of [link.created_at, link.sent_at, link.checked_at, link.engines.google.at])
    expect(html).toContain(`<time datetime="${at}"`);
  expect(text).toContain("Google Accepted sandbox");
  expect(text).toContain("Yandex Not chosen – – –");
  expect(link.checks.length).toBeGreaterThan(2);
  const rows = html.slice(html.indexOf("Checks in Google, oldest first"), html.indexOf("<h2>Search engines"));
  const times = [...rows.matchAll(/<time datetime="([^"]+)"/g)].map(([, at]) => at);
  expect(times).toEqual(link.checks.map(({ at }: { at: string }) => at));
  expect(text).toContain(
    "Day 14 Not in Google no search of Google found the page no_match sandbox queries 2, results 0, matches 0",
  );
});

test("200: a link that was not sent yet, and one of a check", async () => {
  const { user, accountId } = await signedIn(service);
  const id = await projectOf(service, accountId, pages(1), { dripDays: 7 });
  const { text } = await user.get(`/dashboard/projects/${id}/links/lnk_${id.slice(4)}_0`);
  expect(text).toContain("Waiting to be sent");
  expect(text).toContain("It was not checked yet");
  expect(text).toContain("Google Waiting to be sent – – –");
});

test("404: a link of another account, of another project, and one that was never there", async () => {
  const mine = await signedIn(service);
  const other = await signedIn(service);
  const own = await projectOf(service, mine.accountId, pages(1));
  const foreign = await projectOf(service, other.accountId, pages(1));
  const linkOf = (id: string, position: number | string = 0) => `lnk_${id.slice(4)}_${position}`;
  for (const path of [
    `${foreign}/links/${linkOf(foreign)}`,
    `${own}/links/${linkOf(foreign)}`,
    `${own}/links/${linkOf(own, 1)}`,
    `${own}/links/%3Cscript%3E`,
  ]) {
    const page = await mine.user.get(`/dashboard/projects/${path}`);
    expect([path, page.status]).toEqual([path, 404]);
    expect(page.text).toContain("Your account has no such URL");
  }
});
