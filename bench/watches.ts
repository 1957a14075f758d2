import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../db/open.ts";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { bookSandboxOrder } from "../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../src/domain/payments/orders/prices.ts";
import { saveWatch } from "../src/domain/watches/save-watch.ts";
import type { WatcherDeps } from "../src/indexing/watches/run-watch.ts";
import { Watcher } from "../src/indexing/watches/watcher.ts";
import { HOUR } from "../src/platform/clock.ts";
import type { HttpClient } from "../src/platform/http-client/http-client.ts";
import { PERSON, SCOPES } from "../src/platform/principal.ts";
import { costOf, inFolder, pageUrl, round } from "./support.ts";

/** Pages of each watched sitemap, and how many of them are new in a run that submits some. */
const PAGES = 1_000;
const NEW_PAGES = 5;
const WATCHES_OF_ACCOUNT = 100;

/** CPU in ms of a run by what it found, and bytes of the database for each page. */
export interface WatchFigures {
  readonly first: number;
  readonly notModified: number;
  readonly same: number;
  readonly withNew: number;
  readonly bytesPerPage: number;
}

/** Runs `count` hourly watches of 1,000 pages in one process, durable on SQLite; the sitemaps come from memory, without sockets. */
export function benchWatches(count: number): Promise<WatchFigures> {
  return inFolder(async (folder) => {
    const file = join(folder, "bench.db");
    const db = await openDatabase(`file:${file}`);
    let now = Date.UTC(2026, 0, 1);
    const clock = { now: () => now, service: () => now };
    const site = servedFromMemory();
    const config = {
      mode: "sandbox",
      engines: [],
      providers: {},
      preflight: false,
    } as unknown as WatcherDeps["config"];
    const watcher = new Watcher({ db, clock, http: site.http, config }, console);
    const bytes = () => {
      db.checkpoint();
      return statSync(file).size;
    };
    await addWatches(count);
    const empty = bytes();
    const run = async () => {
      let runs = 0;
      const { cpu } = await costOf(async () => {
        runs = await watcher.drain();
      });
      if (runs !== count) throw new Error(`${runs} of ${count} watches ran`);
      now += HOUR;
      return round(cpu / count, 3);
    };
    const first = await run();
    const bytesPerPage = round((bytes() - empty) / (count * PAGES), 1);
    const notModified = await run();
    site.isConditional = false;
    const same = await run();
    site.more = NEW_PAGES;
    const withNew = await run();
    await watcher.stop();
    await db.close();
    return { first, notModified, same, withNew, bytesPerPage };

    async function addWatches(total: number): Promise<void> {
      for (let from = 0; from < total; from += WATCHES_OF_ACCOUNT) {
        await db.tx(async (tx) => {
          const { id: accountId } = await createAccount(tx, { email: `bench${from}@example.com`, now });
          await bookSandboxOrder(tx, { accountId, pack: PACKS[0], credits: 10_000, now });
          const credential = { id: PERSON, type: "session", name: "", scopes: SCOPES, holder: "" } as const;
          for (let at = from; at < Math.min(total, from + WATCHES_OF_ACCOUNT); at++) {
            const url = `https://www.example-${at}.com/sitemap.xml`;
            const watch = { principal: { accountId, credential }, watchId: undefined, url, service: now };
            await saveWatch(tx, { ...watch, change: { every: "hour" } });
          }
        });
      }
    }
  });
}

/** Every site has the same sitemap: what a run costs does not depend on which pages they are. */
function servedFromMemory() {
  const site = { isConditional: true, more: 0, http: null as unknown as HttpClient };
  const texts = new Map<number, { text: Buffer; etag: string }>();
  const sitemap = () => {
    const known = texts.get(site.more);
    if (known) return known;
    const entries = Array.from(
      { length: PAGES + site.more },
      (_, at) => `<url><loc>${pageUrl(at)}</loc><lastmod>2025-12-${10 + (at % 20)}</lastmod></url>`,
    );
    const text = Buffer.from(
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join("\n")}</urlset>`,
    );
    const made = { text, etag: `"${createHash("sha1").update(text).digest("base64")}"` };
    texts.set(site.more, made);
    return made;
  };
  const unused = () => Promise.reject(new Error("not called"));
  site.http = {
    async fetchPublic(url, { headers }) {
      const { text, etag } = sitemap();
      const isSame = site.isConditional && headers?.["If-None-Match"] === etag;
      const body = (async function* () {
        yield text;
      })();
      return { status: isSame ? 304 : 200, url, headers: { etag }, body, discard: () => undefined };
    },
    postPublic: unused,
    checkPublic: unused,
    callApi: unused,
    close: async () => undefined,
  };
  return site;
}
