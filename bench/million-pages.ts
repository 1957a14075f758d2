import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { openDatabase } from "../db/open.ts";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { saveWatch } from "../src/domain/watches/save-watch.ts";
import type { WatcherDeps } from "../src/indexing/watches/run-watch.ts";
import { Watcher } from "../src/indexing/watches/watcher.ts";
import { DAY } from "../src/platform/clock.ts";
import type { HttpClient } from "../src/platform/http-client/http-client.ts";
import { ownerPrincipal } from "../test/support/database/people.ts";
import { inFolder, round } from "./support.ts";

/** Pages of each sitemap of the index, as many as the protocol allows. */
const PAGES_OF_FILE = 50_000;
const INDEX = "https://www.example.com/sitemap.xml";

/** What one run of a large watch costs. */
export interface LargeRun {
  /** ms CPU */
  readonly cpu: number;
  /** Most ms of CPU between two turns of the event loop. */
  readonly stall: number;
  /** Most MB of resident memory, beyond what was in use before. */
  readonly megabytes: number;
}

/** Runs a watch of an index of so many files: first all pages as known, then unchanged, then with 5,000 new ones. */
export function benchLargeWatch(files: number): Promise<Record<"first" | "same" | "withNew", LargeRun>> {
  return inFolder(async (folder) => {
    const db = await openDatabase(`file:${join(folder, "bench.db")}`);
    let now = Date.UTC(2026, 0, 1);
    const clock = { now: () => now, service: () => now };
    const site = { files, more: 0 };
    const config = { mode: "sandbox", engines: [], providers: {}, preflight: false };
    const watcher = new Watcher(
      { db, clock, http: servedFromMemory(site), config: config as unknown as WatcherDeps["config"] },
      console,
    );
    await db.tx(async (tx) => {
      const { id: accountId } = await createAccount(tx, { email: "bench@example.com", now });
      const principal = await ownerPrincipal(tx, accountId);
      const watch = { principal, watchId: undefined, url: INDEX, service: now, now };
      await saveWatch(tx, { ...watch, change: {} });
    });
    const run = async () => {
      const measured = await measure(() => watcher.drain());
      now += DAY;
      return measured;
    };
    const first = await run();
    const same = await run();
    site.more = 5_000;
    const withNew = await run();
    const results = (await db.q.select().from(db.t.watchRuns)).map(({ result }) => result);
    if (results.join() !== "done,unchanged,done") throw new Error(`the runs were ${results.join()}`);
    await watcher.stop();
    await db.close();
    return { first, same, withNew };
  });
}

async function measure(work: () => Promise<unknown>): Promise<LargeRun> {
  let isOver = false;
  const before = process.memoryUsage.rss();
  const start = process.cpuUsage();
  let [stall, most] = [0, 0];
  const watching = (async () => {
    let last = ownCpu();
    while (!isOver) {
      await turn();
      const at = ownCpu();
      if (at - last > stall) stall = at - last;
      most = Math.max(most, process.memoryUsage.rss());
      last = ownCpu();
    }
  })();
  await work();
  isOver = true;
  await watching;
  const { user, system } = process.cpuUsage(start);
  const megabytes = round((most - before) / 2 ** 20, 0);
  return { cpu: round((user + system) / 1_000, 0), stall: round(stall, 0), megabytes };
}

/** ms of CPU of this thread, without the threads that collect garbage. */
function ownCpu(): number {
  return Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[0]) / 1e6;
}

/** An index, and its files as they are asked for, so that the site takes no memory. */
function servedFromMemory(site: { readonly files: number; readonly more: number }): HttpClient {
  const unused = () => Promise.reject(new Error("not called"));
  async function* bodyOf(url: string): AsyncGenerator<Buffer> {
    const file = Number(/\d+(?=\.xml$)/.exec(url)?.[0] ?? -1);
    const xmlns = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
    if (file === -1) {
      const files = Array.from(
        { length: site.files },
        (_, at) => `<sitemap><loc>https://www.example.com/${at}.xml</loc></sitemap>`,
      );
      yield Buffer.from(`<sitemapindex ${xmlns}>${files.join("")}</sitemapindex>`);
      return;
    }
    yield Buffer.from(`<urlset ${xmlns}>`);
    const from = file * PAGES_OF_FILE;
    const pages = PAGES_OF_FILE - (file === site.files - 1 ? 10_000 - site.more : 0);
    for (let at = from; at < from + pages; at += 500) {
      const entries = Array.from(
        { length: Math.min(500, from + pages - at) },
        (_, n) =>
          `<url><loc>https://www.example.com/section-${(at + n) % 40}/a-page-about-something-${at + n}.html</loc><lastmod>2025-12-${10 + ((at + n) % 20)}</lastmod></url>`,
      );
      yield Buffer.from(entries.join("\n"));
      await turn();
    }
    yield Buffer.from("</urlset>");
  }
  return {
    fetchPublic: async (url) => ({
      status: 200,
      url,
      headers: {},
      headerLines: () => [],
      body: bodyOf(url),
      discard: () => undefined,
    }),
    postPublic: unused,
    checkPublic: unused,
    hasNameIn: unused,
    callApi: unused,
    close: async () => undefined,
  } as HttpClient;
}
