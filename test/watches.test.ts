import { afterEach, describe, expect, test } from "vitest";
import { audit } from "../src/domain/audit/audit.ts";
import { Watcher } from "../src/indexing/watches/watcher.ts";
import { HOUR } from "../src/platform/clock.ts";
import { createHttpClient } from "../src/platform/http-client/http-client.ts";
import { type LiveService, liveService } from "./support/service/live-service.ts";
import { SURFACES, type SurfaceClient } from "./support/service/surface-client.ts";
import { type Page, sitemapOf } from "./support/watches/virtual-site.ts";

const ENGINES = "speedyindex,serper,indexnow_bing,indexnow_yandex";

let live: LiveService;
let client: SurfaceClient;
afterEach(async () => {
  expect((await audit(live.service.db)).problems).toEqual([]);
  expect(live.service.errors).toEqual([]);
  await client.close();
  await live.close();
});

/** Runs all that is due, as the service does every few seconds. */
async function drain(): Promise<void> {
  const { db, clock, config, errors } = live.service;
  const http = createHttpClient(config);
  const watcher = new Watcher({ db, clock, config, http }, { error: (details) => errors.push(details) });
  await watcher.drain();
  await watcher.stop();
  await http.close();
}

const sentTo = (provider: string) => live.world.urlsSubmittedTo(provider).sort();

describe.each(Object.entries(SURFACES))("%s", (_, connect) => {
  test("a watch is made, tried, run, held and released; its new pages are sent to engines, and its changed pages announced, once", async () => {
    live = await liveService(ENGINES);
    client = connect(live.service);
    const { key } = await live.service.account({ credits: 100 });
    const answer = async (name: string, input: Record<string, unknown>) => {
      const { ok, body } = await client.call(name, input, { key });
      expect(ok, JSON.stringify(body)).toBe(true);
      return body;
    };
    const { indexnow_key: file } = await answer("add_site", { host: live.host });
    live.files.set(`/${file}.txt`, file);
    await answer("add_site", { host: live.host });
    const page = (no: number) => live.page(`page-${no}`, "hour");
    const pages = (count: number, lastmod = "2025-12-01"): Page[] =>
      Array.from({ length: count }, (_, at) => ({ url: page(at + 1), lastmod }));
    const serve = (listed: readonly Page[]) => live.files.set("/sitemap.xml", sitemapOf(listed));

    serve(pages(25));
    const sitemap_url = live.page("sitemap.xml");
    const { watch } = await answer("watch_sitemap", { sitemap_url, every: "hour", credits_per_month: 50 });
    expect(watch).toMatchObject({ sitemap_url, status: "active", pages: 0, credits_per_month: 50 });
    const run = async (more = {}) => (await answer("run_watch", { watch_id: watch.id, ...more })).run;
    const first = { result: "done", new: 0, same: 25, submitted: 0, credits_spent: 0 };
    expect(await run({ dry_run: true })).toMatchObject({ ...first, id: null });
    expect(await run()).toMatchObject({ ...first, id: expect.stringMatching(/^run_/) });

    serve([{ url: page(1), lastmod: "2026-01-04" }, ...pages(26).slice(1)]);
    const second = { result: "done", new: 1, changed: 1, removed: 0, submitted: 1, credits_spent: 1 };
    const tried = await run({ dry_run: true });
    expect(tried).toMatchObject({ ...second, id: null, project_id: null });
    expect(tried.examples).toEqual({ new: [page(26)], changed: [page(1)], removed: [] });
    expect((await answer("get_account", {})).credits).toBe(100);
    const done = await run();
    expect(done).toMatchObject({ ...second, project_id: expect.stringMatching(/^prj_/) });
    await drain();
    await live.until(live.service.clock.service() + HOUR);
    expect(sentTo("speedyindex")).toEqual([page(26)]);
    for (const engine of ["indexnow_bing", "indexnow_yandex"]) expect(sentTo(engine)).toEqual([page(1), page(26)]);
    const links = await answer("list_links", { project_id: done.project_id });
    expect(links.links.map(({ url }: { url: string }) => url)).toEqual([page(26)]);

    serve(pages(5));
    expect(await run()).toMatchObject({ result: "held", reason: "many_removed", removed: 21, submitted: 0 });
    expect((await answer("get_watch", { watch_id: watch.id })).watch).toMatchObject({ status: "held", pages: 26 });
    expect(await run({ release: true })).toMatchObject({ result: "done", removed: 21, same: 5 });
    const { watches } = await answer("list_watches", {});
    expect(watches).toMatchObject([{ id: watch.id, status: "active", pages: 5, spent_this_month: 1 }]);
    await drain();
    expect(sentTo("indexnow_bing")).toEqual([page(1), page(26)]);
    expect((await answer("get_account", {})).credits).toBe(99);
  });
});
