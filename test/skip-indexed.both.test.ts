import { afterAll, afterEach, describe, expect, test } from "vitest";
import { audit } from "../src/domain/audit/audit.ts";
import { DAY, HOUR } from "../src/platform/clock.ts";
import { urlset } from "./support/network/sitemap-server.ts";
import { testChecker } from "./support/service/checker.ts";
import { type LiveService, liveService } from "./support/service/live-service.ts";
import { testService } from "./support/service/service.ts";
import { SURFACES } from "./support/service/surface-client.ts";

/** Addresses of a fate of the sandbox, which is also what its Google has of pages that were never sent. */
const pages = (fate: string, count: number) =>
  Array.from({ length: count }, (_, i) => `https://example.com/${fate}/${i}?sandbox=${fate}`);

describe.each(Object.entries(SURFACES))("%s", (_, connect) => {
  const ready = testService().then((service) => ({ service, client: connect(service) }));
  afterAll(async () => {
    const { service, client } = await ready;
    expect((await audit(service.db)).problems).toEqual([]);
    await client.close();
    await service.close();
  });

  async function caller() {
    const { service, client } = await ready;
    const account = await service.account({ credits: 100 });
    const call = async (name: string, input: object) => {
      const { ok, body } = await client.call(name, input as Record<string, unknown>, account);
      if (!ok) throw new Error(JSON.stringify(body));
      return body;
    };
    const submit = async (input: object) => (await call("submit_urls", input)).project.id as string;
    const project = (id: string) => call("get_project", { project_id: id });
    const links = async (id: string) => (await call("list_links", { project_id: id, limit: 100 })).links;
    const returns = async (id: string) => {
      const { entries } = await call("list_ledger", { limit: 200 });
      const own = entries.filter((entry: Entry) => entry.project_id === id && entry.kind === "return");
      return own.map((entry: Entry) => [entry.credits, entry.description]).sort();
    };
    const { clock } = service;
    return {
      service,
      call,
      submit,
      project,
      links,
      returns,
      until: (ms: number) => testChecker(service).until(clock.service() + ms),
    };
  }

  test("a URL that Google has is not sent, and comes back at completion less the lookups", async () => {
    const { call, submit, project, links, returns, until } = await caller();
    const id = await submit({ urls: [...pages("day_4", 9), ...pages("never", 12)], skip_indexed: true });
    expect(await project(id)).toMatchObject({ credits_spent: 21, counts: { waiting: 21 } });
    await until(HOUR);
    expect(await project(id)).toMatchObject({
      status: "active",
      credits_returned: 0,
      counts: { failed: 9, checking: 12 },
    });
    const skipped = { status: "skipped", provider: null, at: null, detail: "already_indexed" };
    const [first, ...others] = await links(id);
    expect(first).toMatchObject({
      status: "failed",
      error_code: "already_indexed",
      error_message: "Google had the page already, so it was not sent.",
      sent_at: null,
      credits: 1,
      credits_returned: null,
      engines: { google: skipped, bing: skipped, yandex: skipped },
      last_check: { result: "indexed" },
    });
    expect(others.at(-1)).toMatchObject({ status: "checking", engines: { bing: { status: "accepted" } } });
    const { checks } = await call("get_link", { project_id: id, link_id: others.at(-1).id });
    expect(checks).toMatchObject([{ look: "before_sending", result: "not_indexed" }]);
    await until(15 * DAY);
    expect(await project(id)).toMatchObject({
      status: "completed",
      credits_returned: 18,
      counts: { failed: 9, not_indexed: 12 },
    });
    expect(await returns(id)).toEqual([
      [12, "Day 14: 12 URLs were not found in Google"],
      [6, "9 URLs were in Google already, less 3 credits for looking up 21"],
    ]);
  });

  test("where the lookups cost more than what they found, nothing is taken of anything else", async () => {
    const { submit, project, returns, until } = await caller();
    const one = await submit({ urls: pages("hour", 1), skip_indexed: true });
    const many = await submit({ urls: [...pages("hour", 1), ...pages("never", 14)], skip_indexed: true });
    const instant = await submit({ urls: pages("hour", 4), mode: "instant", skip_indexed: true });
    await until(16 * DAY);
    expect(await project(one)).toMatchObject({ status: "completed", credits_returned: 0, counts: { failed: 1 } });
    expect(await returns(one)).toEqual([]);
    expect((await project(many)).credits_returned).toBe(14);
    expect(await returns(instant)).toEqual([[11, "4 URLs were in Google already, less 1 credit for looking up 4"]]);
  });

  test("a sitemap's URLs are looked up too, and none is where nothing is asked for", async () => {
    const { service, call, links, submit, until } = await caller();
    const sitemap_url = service.site.serve("/known.xml", urlset([...pages("hour", 2), ...pages("never", 1)]));
    const { project } = await call("submit_sitemap", { sitemap_url, skip_indexed: true });
    const plain = await submit({ urls: pages("hour", 1) });
    await until(HOUR);
    const codes = async (id: string) => (await links(id)).map((link: { error_code: string }) => link.error_code);
    expect([await codes(project.id), await codes(plain)]).toEqual([
      ["already_indexed", "already_indexed", null],
      [null],
    ]);
  });

  test("links that wait for their day are cancelled in full, without a lookup", async () => {
    const { call, submit, project, until } = await caller();
    const id = await submit({ urls: pages("hour", 10), drip_days: 3, skip_indexed: true });
    await until(30 * HOUR);
    const { counts } = await project(id);
    expect(counts).toMatchObject({ waiting: 5, failed: 5 });
    // It completes the project, so that what is left for those that were looked up comes back too.
    const { cancelled, credits_returned: back } = await call("cancel_links", { project_id: id });
    expect([cancelled, back]).toEqual([5, 5 + 5 - 1]);
    expect(await project(id)).toMatchObject({ status: "completed", credits_returned: 9 });
  });

  test("a link that is cancelled while it is looked up ends as cancelled, and comes back in full", async () => {
    const { service, call, submit, project, links, returns } = await caller();
    const id = await submit({ urls: [...pages("hour", 12), ...pages("never", 2)], skip_indexed: true });
    const [first, second, ...others] = await links(id);
    const cancelled: string[] = [first.id, second.id, others.at(-1).id];
    let answer: { cancelled: number; credits_returned: number } | null = null;
    // While the worker waits for the lookup, its caller cancels two that Google has and one that it has not.
    const checker = testChecker(service, (sandbox) => ({
      ...sandbox,
      verifier: {
        async check(batch) {
          answer ??= await call("cancel_links", { project_id: id, link_ids: cancelled });
          return sandbox.verifier.check(batch);
        },
      },
    }));
    await checker.until(service.clock.service() + HOUR);
    expect(answer).toMatchObject({ credits_returned: 0 });
    const codes = (await links(id)).map((link: { error_code: string }) => link.error_code);
    expect(codes).toEqual(["cancelled", "cancelled", ...Array(10).fill("already_indexed"), null, "cancelled"]);
    expect((await links(id))[0]).toMatchObject({ status: "failed", credits: 1, credits_returned: 1 });
    expect(await project(id)).toMatchObject({ credits_returned: 3, counts: { failed: 13, checking: 1 } });
    await checker.until(service.clock.service() + 16 * DAY);
    expect((await returns(id)).map(([credits]: [number]) => credits).sort()).toEqual([1, 1, 2, 8]);
    expect(await project(id)).toMatchObject({ status: "completed", credits_returned: 12 });
  });
});

interface Entry {
  readonly project_id: string;
  readonly kind: string;
  readonly credits: number;
  readonly description: string;
}

describe("a live service", () => {
  let live: LiveService;
  afterEach(async () => {
    expect((await audit(live.service.db)).problems).toEqual([]);
    await live.close();
  });

  async function submitted(urls: readonly string[], mode: string) {
    const { key } = await live.service.account({ credits: 100 });
    const body = { urls, mode, skip_indexed: true };
    const { json } = await live.service.request("POST", "/projects", { key, body });
    const path = `/projects/${json.project.id}/links`;
    const start = live.service.clock.service();
    const states = async () => {
      const { links } = (await live.service.request("GET", path, { key })).json;
      return links.map(({ status, error_code: code }: Record<string, string>) =>
        code ? `${status} (${code})` : status,
      );
    };
    return {
      start,
      states,
      asked: () => live.fakes.callsTo("serper").length,
      sent: () => live.world.urlsSubmittedTo("speedyindex"),
    };
  }

  test("a page is read first, then looked up, and sent only if Google does not have it", async () => {
    live = await liveService("speedyindex,serper");
    const urls = [live.page("ok-1", "hour"), live.page("ok-2"), live.page("noindex", "hour")];
    const { start, states, sent } = await submitted(urls, "standard");
    await live.until(start + HOUR);
    expect(await states()).toEqual(["failed (already_indexed)", "checking", "failed (noindex)"]);
    expect(sent()).toEqual([live.page("ok-2")]);
  });

  test("without an answer a standard link waits for two days and is sent then, an instant one is sent at once", async () => {
    live = await liveService("speedyindex,serper");
    live.world.answer("serper", { status: 503 });
    const standard = await submitted([live.page("ok-3", "hour")], "standard");
    await live.until(standard.start + 47 * HOUR);
    expect([await standard.states(), standard.sent()]).toEqual([["waiting"], []]);
    const instant = await submitted([live.page("ok-4", "hour")], "instant");
    await live.until(instant.start + HOUR / 60);
    expect(instant.sent()).toEqual([live.page("ok-4", "hour")]);
    await live.until(standard.start + 49 * HOUR);
    expect(standard.sent()).toEqual([live.page("ok-4", "hour"), live.page("ok-3", "hour")]);
    live.world.heal();
  });
});
