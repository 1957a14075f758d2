import { afterAll, describe, expect, test } from "vitest";
import { audit } from "../src/domain/audit/audit.ts";
import { DAY, HOUR, iso, MINUTE } from "../src/platform/clock.ts";
import { testChecker } from "./support/service/checker.ts";
import { urlOf } from "./support/service/sandbox-urls.ts";
import { testService } from "./support/service/service.ts";
import { type CallResult, SURFACES } from "./support/service/surface-client.ts";

/** A URL of each fate, and of its variants where they end differently. */
const URLS = {
  five: urlOf("hour", "five", (isThere) => isThere(5 * MINUTE) === true),
  twenty: urlOf("hour", "twenty", (isThere) => !isThere(10 * MINUTE) && isThere(20 * MINUTE) === true),
  forty: urlOf("hour", "forty", (isThere) => !isThere(25 * MINUTE)),
  day_4: urlOf("day_4", "day-4"),
  day_14: urlOf("day_14", "day-14"),
  never: urlOf("never", "never"),
  rejected: urlOf("rejected", "rejected"),
  late_yes: urlOf("late_answer", "late-yes", (isThere) => isThere(15 * DAY) === true),
  late_no: urlOf("late_answer", "late-no", (isThere) => isThere(15 * DAY) === false),
  silent: urlOf("silent", "silent"),
  dropped: urlOf("dropped", "dropped"),
  withdrawn: urlOf("withdrawn", "withdrawn"),
} as const;

type Name = keyof typeof URLS;
const NAMES = Object.keys(URLS) as Name[];

interface End {
  readonly status: "indexed" | "not_indexed" | "failed";
  /** ms after sending; null: not there at the end. */
  readonly indexed: number | null;
  readonly error?: string;
  /** The last thing that was seen of it. */
  readonly last: "indexed" | "not_indexed" | "unknown" | null;
}

/** How each URL of an instant project ends, and when Google was first seen to have it. */
const ENDS: Readonly<Record<Name, End>> = {
  five: { status: "indexed", indexed: 10 * MINUTE, last: "indexed" },
  twenty: { status: "indexed", indexed: 25 * MINUTE, last: "indexed" },
  forty: { status: "indexed", indexed: 45 * MINUTE, last: "indexed" },
  day_4: { status: "indexed", indexed: 4 * DAY, last: "indexed" },
  day_14: { status: "indexed", indexed: 14 * DAY, last: "indexed" },
  never: { status: "not_indexed", indexed: null, error: "no_match", last: "not_indexed" },
  rejected: { status: "failed", indexed: null, error: "provider_rejected", last: null },
  // Unknown at 14 d, then after 1, 2, 4 and 6 hours more: the fifth look is the first after half a day.
  late_yes: { status: "indexed", indexed: 14 * DAY + 13 * HOUR, last: "indexed" },
  late_no: { status: "not_indexed", indexed: null, error: "no_match", last: "not_indexed" },
  silent: { status: "not_indexed", indexed: null, error: "unverifiable", last: "unknown" },
  dropped: { status: "not_indexed", indexed: null, error: "dropped", last: "not_indexed" },
  withdrawn: { status: "indexed", indexed: 4 * DAY, last: "not_indexed" },
};

const PRICE = 3;
const CHECKED = (["five", "twenty", "never", "silent"] as const).flatMap((name) =>
  Array.from({ length: name === "silent" ? 2 : name === "never" ? 4 : 3 }, (_, i) => `${URLS[name]}&n=${i}`),
);

const told = new Map<string, unknown[]>();

describe.each(Object.entries(SURFACES))("one scenario over %s", (name, connect) => {
  const ready = testService().then(async (service) => {
    const account = await service.account({ credits: 150 });
    return { service, account, client: connect(service), work: testChecker(service), start: service.clock.service() };
  });
  const answers: unknown[] = [];
  told.set(name, answers);
  /** What one step of the scenario leaves for the next. */
  const ids = { instant: "", drip: "", check: "" };

  afterAll(async () => {
    const { service, client } = await ready;
    await client.close();
    await service.close();
  });

  async function call(
    operation: string,
    input: Record<string, unknown> = {},
    idempotencyKey?: string,
  ): Promise<CallResult> {
    const { client, account } = await ready;
    const outcome = await client.call(operation, input, { key: account.key, idempotencyKey });
    answers.push([operation, outcome.code, outcome.body]);
    return outcome;
  }

  async function answer(operation: string, input: Record<string, unknown> = {}, idempotencyKey?: string) {
    const { ok, body } = await call(operation, input, idempotencyKey);
    expect(ok, JSON.stringify(body)).toBe(true);
    return body;
  }

  /** Moves the clock to a time, runs all steps that are due by then, and audits the books. */
  async function until(elapsed: number): Promise<void> {
    const { service, work, start } = await ready;
    await work.until(start + elapsed);
    expect(work.troubles).toEqual([]);
    expect((await audit(service.db)).problems).toEqual([]);
  }

  const at = async (elapsed: number) => iso((await ready).start + elapsed);
  const linkOf = (link: Name) => {
    const link_id = `lnk_${ids.instant.slice(4)}_${NAMES.indexOf(link)}`;
    return answer("get_link", { project_id: ids.instant, link_id });
  };
  const statuses = async (project_id: string) => {
    const { links } = await answer("list_links", { project_id, limit: 50 });
    return links.map((link: { status: string }) => link.status);
  };

  test("the account, prices and an estimate", async () => {
    expect(await answer("get_account")).toMatchObject({ credits: 150, paid: true, usage_today: { submissions: 0 } });
    const { costs } = await answer("get_pricing");
    expect(costs).toEqual({ standard_url: 1, instant_url: PRICE, urls_checked_per_credit: 10 });
    const items = [...Object.values(URLS), `${URLS.never}#again`, "example.com"];
    expect(await answer("estimate_cost", { kind: "instant", urls: items })).toEqual({
      kind: "instant",
      urls: 12,
      invalid: 1,
      duplicates: 1,
      invalid_examples: ["example.com"],
      credits: 36,
      balance: 150,
      enough: true,
    });
  });

  test("an instant project spends at once, and only once", async () => {
    const input = { urls: [...Object.values(URLS), URLS.never, "nonsense"], mode: "instant", yandex: false };
    const made = await call("submit_urls", input, "one");
    expect(made.body).toMatchObject({ urls_accepted: 12, invalid: 1, duplicates: 1, credits_spent: 36, balance: 114 });
    expect(made.body.project).toMatchObject({
      object: "project",
      kind: "index",
      mode: "instant",
      name: "example.com",
      engines: { google: true, bing: true, yandex: false },
      status: "active",
      counts: { total: 12, waiting: 12, checking: 0, indexed: 0, not_indexed: 0, failed: 0 },
      index_rate: null,
      created_at: await at(0),
      completed_at: null,
    });
    const again = await call("submit_urls", input, "one");
    expect([again.replayed, again.body]).toEqual([true, made.body]);
    expect((await call("submit_urls", { ...input, mode: "standard" }, "one")).code).toBe("idempotency_mismatch");
    ids.instant = made.body.project.id;
  });

  test("a drip feed and a check project", async () => {
    const urls = Array.from({ length: 6 }, (_, i) => `${URLS.five}&drip=${i}`);
    const drip = await answer("submit_urls", { urls, drip_days: 3, name: "Drip" });
    expect(drip).toMatchObject({ credits_spent: 6, balance: 108, project: { name: "Drip", drip_days: 3 } });
    const check = await answer("check_urls", { urls: CHECKED });
    expect(check).toMatchObject({ urls_accepted: 12, credits_spent: 2, balance: 106 });
    const engines = { google: true, bing: false, yandex: false };
    expect(check.project).toMatchObject({ kind: "check", mode: null, engines, drip_days: 0 });
    Object.assign(ids, { drip: drip.project.id, check: check.project.id });

    const { projects, has_more } = await answer("list_projects", { limit: 10 });
    expect(projects.map(({ id }: { id: string }) => id)).toEqual([ids.check, ids.drip, ids.instant]);
    expect(has_more).toBe(false);
    expect((await answer("list_projects", { kind: "check", limit: 10 })).projects).toEqual([projects[0]]);
    expect(await answer("get_project", { project_id: ids.drip })).toEqual(projects[1]);
  });

  test("links are sent at once or by the drip; those not sent yet can be cancelled", async () => {
    await until(0);
    expect(await linkOf("never")).toMatchObject({
      status: "checking",
      sent_at: await at(0),
      next_check_at: await at(10 * MINUTE),
    });
    expect((await linkOf("never")).engines).toEqual({
      google: { status: "accepted", provider: "sandbox", at: await at(0), detail: "sandbox", crawled_at: null },
      bing: { status: "accepted", provider: "sandbox", at: await at(0), detail: "sandbox", crawled_at: null },
      yandex: { status: "off", provider: null, at: null, detail: null },
    });
    expect(await answer("cancel_links", { project_id: ids.instant })).toMatchObject({ cancelled: 0, balance: 109 });

    const { links } = await answer("list_links", { project_id: ids.drip, limit: 50 });
    const scheduled = await Promise.all([0, 12, 24, 36, 48, 60].map((hours) => at(hours * HOUR)));
    expect(links.map((link: { scheduled_at: string }) => link.scheduled_at)).toEqual(scheduled);
    const link_ids = [links[0].id, links[4].id, links[5].id];
    const cancelled = await answer("cancel_links", { project_id: ids.drip, link_ids });
    expect(cancelled).toMatchObject({ cancelled: 2, credits_returned: 2, balance: 111 });
    expect(cancelled.project.counts).toMatchObject({ waiting: 3, checking: 1, failed: 2 });
    expect((await answer("cancel_links", { project_id: ids.drip, link_ids })).cancelled).toBe(0);
    const link = await answer("get_link", { project_id: ids.drip, link_id: links[5].id });
    expect(link).toMatchObject({
      status: "failed",
      error_code: "cancelled",
      credits: 1,
      credits_returned: 1,
      sent_at: null,
    });
  });

  test.each([
    ["five", 10],
    ["twenty", 25],
    ["forty", 45],
  ] as const)("an instant link that is there after %s minutes is seen at minute %i", async (link, minute) => {
    await until(minute * MINUTE - 1);
    expect((await linkOf(link)).status).toBe("checking");
    await until(minute * MINUTE);
    const seen = await linkOf(link);
    expect(seen).toMatchObject({ status: "indexed", indexed_at: await at(minute * MINUTE) });
    expect(seen).toMatchObject({ credits: PRICE, credits_returned: 0, next_check_at: await at(4 * DAY) });
    expect(seen.checks.at(-1)).toMatchObject({ look: "early", result: "indexed", provider: "sandbox", reason: null });
  });

  test("an unknown result is checked every five minutes to minute 60; a clean negative is not", async () => {
    await until(4 * DAY - 1);
    const silent = (await linkOf("silent")).checks.map((check: { at: string }) => check.at);
    const minutes = [10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60];
    expect(silent).toEqual(await Promise.all(minutes.map((minute) => at(minute * MINUTE))));
    const never = (await linkOf("never")).checks.map((check: { at: string }) => check.at);
    expect(never).toEqual(await Promise.all([10, 25, 45].map((minute) => at(minute * MINUTE))));
  });

  test("the check project: each answer comes as soon as it is certain, and credits of links never looked up are returned", async () => {
    const project = await answer("get_project", { project_id: ids.check });
    expect(project).toMatchObject({ status: "completed", index_rate: 60, credits_spent: 2, credits_returned: 1 });
    expect(project.completed_at).toBe(await at(2 * DAY));
    expect(project.counts).toMatchObject({ total: 12, indexed: 6, not_indexed: 4, failed: 2 });
    const { links } = await answer("list_links", { project_id: ids.check, limit: 50 });
    expect(links[0]).toMatchObject({
      status: "indexed",
      indexed_at: await at(0),
      credits: null,
      credits_returned: null,
    });
    expect(links[0].engines.google.status).toBe("off");
    const why = { error_code: "no_match", error_message: "No search of Google found the page." };
    expect(links[6]).toMatchObject({ status: "not_indexed", checked_at: await at(30 * MINUTE), sent_at: null, ...why });
    expect(links[10]).toMatchObject({ status: "failed", error_code: "unverifiable", checked_at: await at(2 * DAY) });
  });

  test("day 4: links are indexed; or they are not, which is checked twice, and they are sent once more", async () => {
    await until(4 * DAY);
    for (const link of ["day_4", "dropped", "withdrawn"] as const) {
      expect(await linkOf(link)).toMatchObject({ status: "indexed", indexed_at: await at(4 * DAY) });
    }
    const next = await at(4 * DAY + 30 * MINUTE);
    expect(await linkOf("never")).toMatchObject({ status: "checking", next_check_at: next });
    await until(4 * DAY + 30 * MINUTE);
    const never = await linkOf("never");
    expect(never).toMatchObject({ status: "checking", sent_at: await at(0), next_check_at: await at(14 * DAY) });
    expect(never.engines.google).toMatchObject({ status: "accepted", at: next });
    expect(await answer("get_project", { project_id: ids.instant })).toMatchObject({ index_rate: 100 });
  });

  test("day 14: every link is checked and has its final state", async () => {
    await until(14 * DAY);
    expect(await linkOf("day_14")).toMatchObject({ status: "indexed", next_check_at: null });
    expect(await linkOf("dropped")).toMatchObject({
      status: "indexed",
      next_check_at: await at(14 * DAY + 30 * MINUTE),
    });
    await until(16 * DAY);
    for (const name of NAMES) await hasEnded(name, ENDS[name]);
    expect((await linkOf("withdrawn")).checks.at(-1)).toMatchObject({ look: "day_14", reason: "noindex" });
    expect((await linkOf("never")).checks.at(-1).counts).toEqual({ queries: 2, results: 0, matches: 0 });
  });

  async function hasEnded(name: Name, { status, indexed, error, last }: End): Promise<void> {
    const link = await linkOf(name);
    const returned = status === "indexed" ? 0 : PRICE;
    expect(link, name).toMatchObject({ status, error_code: error ?? null, credits: PRICE, credits_returned: returned });
    expect(link, name).toMatchObject({ indexed_at: indexed === null ? null : await at(indexed), next_check_at: null });
    expect(link.last_check?.result ?? null, name).toBe(last);
    expect(link.sent_at, name).toBe(name === "rejected" ? null : await at(0));
    expect(link.checks.at(-1)?.at ?? null, name).toBe(link.checked_at);
    expect(link.error_message === null, name).toBe(error === undefined);
  }

  test("events tell the same: what was settled, dropped, returned and completed, in order", async () => {
    // Steps that are due at once end in any order, so that these answers are not compared among surfaces.
    const { client, account } = await ready;
    const list = async (input: object) =>
      (await client.call("list_events", { limit: 200, ...input }, { key: account.key })).body;
    const { events, has_more } = await list({ project_id: ids.instant });
    expect(has_more).toBe(false);
    const of = (type: string) => events.filter((event: { type: string }) => event.type === type);
    const total = { indexed: 0, not_indexed: 0, failed: 0, returned: 0 };
    for (const { data } of of("links.settled")) {
      for (const state of ["indexed", "not_indexed", "failed"] as const) {
        total[state] += data.counts[state];
        expect(data.links[state]).toHaveLength(data.counts[state]);
      }
      total.returned += data.credits_returned;
    }
    // `dropped` was indexed first, and not_indexed in the end.
    expect(total).toEqual({ indexed: 8, not_indexed: 4, failed: 1, returned: 15 });
    const dropped = of("links.dropped").map(({ data }: { data: object }) => data);
    expect(dropped).toMatchObject([{ count: 2, reasons: { dropped: 1, noindex: 1 } }]);
    expect(events.at(-1)).toMatchObject({
      type: "project.completed",
      project_id: ids.instant,
      data: { credits_spent: 36, credits_returned: 15, completed_at: await at(16 * DAY) },
    });
    // Each link that Google has fetched since is told of once.
    const crawled = of("links.crawled").map(({ data }: { data: { engine: string; count: number } }) => data);
    expect(new Set(crawled.map(({ engine }: { engine: string }) => engine))).toEqual(new Set(["google"]));
    const told = crawled.flatMap(({ links }: { links?: string[] }) => links ?? []);
    expect(new Set(told).size).toBe(told.length);
    expect(told).toHaveLength(9);
    const all = (await list({})).events;
    const first = await list({ limit: 1 });
    expect(first).toEqual({ events: [all[0]], has_more: true });
    const rest = await list({ after: all[0].id, type: "project.completed" });
    expect(rest.events.map((event: { project_id: string }) => event.project_id)).toEqual([
      ids.check,
      ids.drip,
      ids.instant,
    ]);
    expect((await call("list_events", { after: "evt_none" })).code).toBe("invalid_request");
  });

  test("completed: the counts add up, and so do all credits", async () => {
    const instant = await answer("get_project", { project_id: ids.instant });
    expect(instant).toMatchObject({
      status: "completed",
      counts: { total: 12, waiting: 0, checking: 0, indexed: 7, not_indexed: 4, failed: 1 },
      index_rate: 63.6,
      credits_spent: 36,
      credits_returned: 15,
      completed_at: await at(16 * DAY),
    });
    const ended = { indexed: 0, not_indexed: 0, failed: 0 };
    for (const status of await statuses(ids.instant)) ended[status as keyof typeof ended] += 1;
    expect(instant.counts).toMatchObject(ended);
    const paidBack = await answer("list_links", { project_id: ids.instant, status: "not_indexed", limit: 50 });
    expect(paidBack.links.map(({ url }: { url: string }) => url)).toEqual([
      URLS.never,
      URLS.late_no,
      URLS.silent,
      URLS.dropped,
    ]);
    expect(await answer("get_project", { project_id: ids.drip })).toMatchObject({
      status: "completed",
      counts: { indexed: 4, failed: 2 },
      credits_returned: 2,
      completed_at: await at(36 * HOUR + 14 * DAY),
    });
    expect((await answer("list_projects", { status: "active", limit: 10 })).projects).toEqual([]);

    const { entries, has_more } = await answer("list_ledger", { limit: 200 });
    expect(has_more).toBe(false);
    const credits = (kind: string, project: string | null) =>
      entries
        .filter(
          (entry: { kind: string; project_id: string | null }) => entry.kind === kind && entry.project_id === project,
        )
        .map((entry: { credits: number }) => entry.credits);
    expect(credits("purchase", null)).toEqual([150]);
    expect([ids.instant, ids.drip, ids.check].flatMap((id) => credits("spend", id))).toEqual([-36, -6, -2]);
    const sum = (list: number[]) => list.reduce((total, one) => total + one, 0);
    expect([ids.instant, ids.drip, ids.check].map((id) => sum(credits("return", id)))).toEqual([15, 2, 1]);
    const returns = entries
      .filter(
        ({ kind, project_id }: { kind: string; project_id: string }) => kind === "return" && project_id === ids.instant,
      )
      .map(({ credits, description }: { credits: number; description: string }) => `${description}: ${credits}`);
    expect(returns).toEqual([
      "Day 16: 1 URL was not decided: no check gave a reliable answer: 3",
      "Day 14: 1 URL was not found in Google: 3",
      "Day 14: 1 URL was found in Google before, and not any more: 3",
      "Day 14: 1 URL was not found in Google: 3",
      "Day 0: 1 URL was refused by the provider: 3",
    ]);
    const balance = sum(entries.map((entry: { credits: number }) => entry.credits));
    expect(await answer("get_account")).toMatchObject({ credits: balance, usage_today: { submissions: 0 } });
    expect(balance).toBe(150 - 36 - 6 - 2 + 15 + 2 + 1);
  });
});

test("every surface gives the same answers", () => {
  const [first, ...others] = [...told.values()].map(withoutIds);
  expect(first!.length).toBeGreaterThan(50);
  for (const other of others) expect(other).toEqual(first);
});

/** Times are equal already, since the clock of each surface's service began at the same moment; connecting counts as requests. */
function withoutIds(answers: unknown[]): unknown[] {
  const text = JSON.stringify(answers)
    .replace(/\b(acc|prj|lnk|ord|led|evt|key)_[0-9a-z]+/g, "$1_")
    .replace(/[0-9a-f-]{36}@example\.com/g, "@example.com")
    .replace(/"name":"[0-9a-f-]{36}"/g, '"name":"…"')
    .replace(/"ending":"[\w-]{4}"/g, '"ending":"…"')
    .replace(/"requests":\d+/g, '"requests":0');
  return JSON.parse(text);
}
