import { afterAll, expect, test } from "vitest";
import { createKey } from "../src/domain/credentials/keys.ts";
import { post } from "../src/domain/ledger/ledger.ts";
import { CLAIMS } from "../src/domain/projects/claims.ts";
import { FATES } from "../src/indexing/engines/sandbox/fate.ts";
import { DAY, HOUR } from "../src/platform/clock.ts";
import { isDeep } from "./support/checks/fuzz-runs.ts";
import { testChecker } from "./support/service/checker.ts";
import { testService } from "./support/service/service.ts";
import { type PageSeen, signedIn, type User } from "./support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const FOUR_OF_EACH = Object.keys(FATES).flatMap((fate) =>
  [1, 2, 3, 4].map((page) => `https://${page > 2 ? "www." : ""}example.com/${fate}/${page}?sandbox=${fate}`),
);

const WORDS: Readonly<Record<string, string>> = {
  ...{ indexed: "In Google", gone: "Gone", not_indexed: "Not in Google", unknown: "Unknown" },
  ...{ failed: "Not sent", checking: "Checking", waiting: "Waiting" },
};
const wordOf = (status: string, kind: string) =>
  status === "failed" && kind === "check" ? "Not looked up" : WORDS[status]!;

/** Links of a part of a page that lead to its own list: what each says, and where it leads. */
function numbersIn({ html }: PageSeen): { count: number; path: string }[] {
  const top = html.slice(0, html.indexOf('<section id="urls">'));
  return [...top.matchAll(/<a[^>]* href="([^"#]*)#urls"[^>]*>(.*?)<\/a>/g)].flatMap(([, path, inner]) => {
    const text = inner!.replace(/<[^>]*>/g, " ").replaceAll(",", "");
    const number = /\d+/.exec(text)?.[0];
    return number ? [{ count: Number(number), path: path!.replaceAll("&amp;", "&") }] : [];
  });
}

/** Ids of the links of a list. */
function listedIn({ html }: PageSeen): string[] {
  return [...html.slice(html.indexOf('<section id="urls">')).matchAll(/\/links\/(lnk_\w+)"/g)].map(([, id]) => id!);
}

interface Account {
  readonly user: User;
  readonly key: string;
}

async function read({ key }: Account, path: string) {
  const { status, json } = await service.request("GET", path, { key });
  expect(status).toBe(200);
  return json;
}

type Engines = { google: { crawled_at: string | null } };
type Group = { status: string; reason: string; count: number; words: string };

/** Compares all pages of a project with what the operations answer. */
async function compare(account: Account, id: string, day: number): Promise<void> {
  const { user } = account;
  const project = await read(account, `/projects/${id}`);
  const report = await read(account, `/projects/${id}/report?rows=100`);
  const { links } = await read(account, `/projects/${id}/links?limit=500`);
  const groups: Group[] = report.groups;
  const countOf = (fits: (group: Group) => boolean) => groups.filter(fits).reduce((sum, { count }) => sum + count, 0);
  const of = (status: string) => countOf((group) => group.status === status);
  const page = await user.get(`/dashboard/projects/${id}`);
  const where = `${project.kind} ${project.mode} day ${day}`;
  expect([where, page.status]).toEqual([where, 200]);

  // The operations agree with each other.
  expect(project.counts, where).toMatchObject({
    indexed: of("indexed") + of("gone"),
    waiting: of("waiting"),
    checking: of("checking"),
    total: links.length,
  });

  const isFetched = ({ sent_at: sent, engines }: { sent_at: string | null; engines: Engines }) =>
    (project.kind === "check" || sent !== null) && (engines.google.crawled_at ?? "") >= (sent ?? "0").slice(0, 19);
  expect([where, report.crawled.google.fetched]).toEqual([where, links.filter(isFetched).length]);

  // The first line.
  const line = /<p class="result">(.*?)<\/p>/.exec(page.html)![1]!.replace(/<[^>]*>/g, "");
  const isLookedUp = links.some((link: { checked_at: string | null }) => link.checked_at !== null);
  if (isLookedUp || project.status === "completed")
    expect(line, where).toContain(`${of("indexed")} of ${project.counts.total} in Google`);
  expect(line.includes("so far"), where).toBe(isLookedUp && project.status === "active");
  const byDay4 = report.found_by_day
    .filter((one: { day: number }) => one.day <= 4)
    .reduce((sum: number, one: { count: number }) => sum + one.count, 0);
  const saysDay4 = project.kind === "index" && day >= 4;
  expect(/· (\d+) by day 4/.exec(line)?.[1], where).toBe(saysDay4 ? String(byDay4) : undefined);
  const back = /· (\d+) credits? back/.exec(line)?.[1];
  expect(Number(back ?? 0), where).toBe(project.credits_returned);
  const own = Object.values(CLAIMS).reduce((text, { says }) => text.replaceAll(says, ""), page.text);
  if (project.status === "active") expect(own, where).not.toMatch(/\d ?%/);

  // Each finding, with its word.
  for (const status of Object.keys(WORDS)) {
    const count = of(status);
    const link = `<span class="state state-${status}">${wordOf(status, project.kind)} <strong>${count}</strong>`;
    expect([where, status, page.html.includes(link)]).toEqual([where, status, count > 0]);
  }

  // Every number leads to as many URLs, and every reason is there with its number.
  const numbers = numbersIn(page);
  expect(numbers.length, where).toBeGreaterThan(2);
  const lists = new Map<string, string[]>();
  for (const { count, path } of numbers) {
    if (path.includes("search=")) continue;
    const ids = lists.get(path) ?? listedIn(await user.get(path));
    lists.set(path, ids);
    expect([where, path, ids.length]).toEqual([where, path, count]);
  }
  for (const { status, reason } of groups.filter((group) => group.status !== "indexed")) {
    const path = `/dashboard/projects/${id}?status=${status}&reason=${reason}`;
    const count = countOf((group) => group.status === status && group.reason === reason);
    expect(numbers, where).toContainEqual({ count, path });
  }
  const listed = Object.keys(WORDS).flatMap((status) => lists.get(`/dashboard/projects/${id}?status=${status}`) ?? []);
  expect(listed.sort(), where).toEqual(links.map((link: { id: string }) => link.id).sort());

  // The list of projects, and the file for people.
  const row = new RegExp(`/dashboard/projects/${id}\\?status=indexed#urls">([\\d,]+)</a> of (\\d+)`).exec(
    (await user.get("/dashboard/projects")).html,
  );
  expect([where, row?.[1], row?.[2]]).toEqual([where, String(of("indexed")), String(project.counts.total)]);
  const csv = (await user.get(`/dashboard/projects/${id}/urls.csv`)).html.trim().split("\r\n").slice(1);
  const words = csv.map((text) => /^"\d+","[^"]*","([^"]*)"/.exec(text)![1]!);
  for (const status of Object.keys(WORDS))
    expect([where, status, words.filter((word) => word === wordOf(status, project.kind)).length]).toEqual([
      where,
      status,
      of(status),
    ]);
}

/** Days on which the pages are compared. */
const DAYS = isDeep ? [0, 4, 8, 14, 16, 30] : [4, 14, 30];

test(`law: the numbers of every page equal the operations', for all fates on days ${DAYS.join(", ")}`, async () => {
  const { user, accountId } = await signedIn(service);
  const { db, clock } = service;
  const key = await db.tx(async (tx) => {
    const now = clock.now();
    await post(tx, { accountId, kind: "adjustment", credits: 1_000, source: "t", description: "", now });
    return createKey(tx, { accountId, name: "k", mode: "sandbox", now });
  });
  const account = { user, key };
  const begin = clock.service();
  const made = async (path: string, body: object) => {
    const { status, json } = await service.request("POST", path, { key, body: { urls: FOUR_OF_EACH, ...body } });
    expect(status).toBe(201);
    return json.project.id as string;
  };
  const ids = [
    await made("/projects", { name: "Standard" }),
    await made("/projects", { name: "Instant", mode: "instant" }),
    await made("/projects", { name: "Spread", drip_days: 7 }),
    await made("/projects", { name: "Without what is there", skip_indexed: true }),
    await made("/checks", { name: "Check" }),
  ];
  const checker = testChecker(service);
  for (const day of DAYS) {
    await checker.until(begin + day * DAY + (day > 0 ? HOUR : 0));
    await db.tx((tx) =>
      tx.q.update(tx.t.sessions).set({ lastSeenAt: clock.now(), createdAt: clock.now() }).returning(),
    );
    for (const id of ids) await compare(account, id, day);
  }
}, 300_000);
