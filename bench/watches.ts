import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { eq, gt } from "drizzle-orm";
import type { Tx } from "../db/engine.ts";
import { openDatabase } from "../db/open.ts";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { bookSandboxOrder } from "../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../src/domain/payments/orders/packs.ts";
import { saveWatch } from "../src/domain/watches/save-watch.ts";
import type { WatcherDeps } from "../src/indexing/watches/run-watch.ts";
import { Watcher } from "../src/indexing/watches/watcher.ts";
import { DAY, HOUR } from "../src/platform/clock.ts";
import type { HttpClient } from "../src/platform/http-client/http-client.ts";
import { newId } from "../src/platform/ids.ts";
import { ownerPrincipal } from "../test/support/database/people.ts";
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

/** Watches that are read as a whole; of all of them, each would take as long. */
const READ = 1_000;

/** Columns in a statement are limited, and so are the rows that one inserts. */
const INSERTED = 50;

/**
 * Runs `count` hourly watches of 1,000 pages in one process, durable on SQLite; the sitemaps come from memory, without sockets. The
 * first 1,000 are made and read; the others are written as the first of these is then.
 */
export function benchWatches(count: number): Promise<WatchFigures> {
  return inFolder(async (folder) => {
    const file = join(folder, "bench.db");
    const db = await openDatabase(`file:${file}`);
    let now = Date.UTC(2026, 0, 1);
    const clock = { now: () => now, service: () => now };
    const site = servedFromMemory();
    const config = { mode: "sandbox", engines: [], providers: {}, preflight: false };
    const deps = { db, clock, http: site.http, config: config as unknown as WatcherDeps["config"] };
    const watcher = new Watcher(deps, console);
    const bytes = () => {
      db.checkpoint();
      return statSync(file).size;
    };
    const read = Math.min(count, READ);
    await addWatches(0, read);
    const empty = bytes();
    const run = async (expected: number) => {
      let runs = 0;
      const { cpu } = await costOf(async () => {
        runs = await watcher.drain();
      });
      if (runs !== expected) throw new Error(`${runs} of ${expected} watches ran`);
      now += HOUR;
      return round(cpu / expected, 3);
    };
    const first = await run(read);
    const bytesPerPage = round((bytes() - empty) / (read * PAGES), 1);
    await copyFirst(count - read);
    // The second one in a row takes the place of the first: so it is from hour to hour.
    await run(count);
    const notModified = await run(count);
    await postponeOthers();
    site.isConditional = false;
    const same = await run(read);
    site.more = NEW_PAGES;
    const withNew = await run(read);
    await watcher.stop();
    await db.close();
    return { first, notModified, same, withNew, bytesPerPage };

    async function addWatches(from: number, to: number): Promise<void> {
      for (let at = from; at < to; at += WATCHES_OF_ACCOUNT) {
        await db.tx(async (tx) => {
          const { accountId } = await addAccount(tx, at);
          const principal = await ownerPrincipal(tx, accountId);
          for (let no = at; no < Math.min(to, at + WATCHES_OF_ACCOUNT); no++) {
            const watch = {
              principal,
              watchId: undefined,
              url: urlOf(no),
              service: now,
              now,
            };
            await saveWatch(tx, { ...watch, change: { every: "hour" } });
          }
        });
      }
    }

    async function addAccount(tx: Tx, at: number): Promise<{ accountId: string; ownerId: string }> {
      const { id: accountId, ownerId } = await createAccount(tx, { email: `bench${at}@example.com`, now });
      await bookSandboxOrder(tx, { accountId, pack: PACKS[0], credits: 10_000, now });
      return { accountId, ownerId };
    }

    /** Adds watches that know the pages of the first one. */
    async function copyFirst(copies: number): Promise<void> {
      const { watches, watchPages, watchRuns } = db.t;
      const isFirst = { watch: eq(watches.no, 1), pages: eq(watchPages.watchNo, 1), run: eq(watchRuns.watchNo, 1) };
      const [watch] = await db.q.select().from(watches).where(isFirst.watch);
      const [pages] = await db.q.select().from(watchPages).where(isFirst.pages);
      const [done] = await db.q.select().from(watchRuns).where(isFirst.run);
      const { no: _, ...columns } = watch!;
      for (let at = 0; at < copies; at += WATCHES_OF_ACCOUNT) {
        await db.tx(async (tx) => {
          const { accountId, ownerId } = await addAccount(tx, read + at);
          for (let part = at; part < Math.min(copies, at + WATCHES_OF_ACCOUNT); part += INSERTED) {
            const ids = Array.from({ length: Math.min(INSERTED, copies - part) }, (_, each) => read + part + each);
            const rows = ids.map((id) => {
              const documents = watch!.documents!.replace(watch!.sitemapUrl, urlOf(id));
              return {
                ...columns,
                id: newId("wat"),
                accountId,
                maker: ownerId,
                documents,
                sitemapUrl: urlOf(id),
                nextRunAt: now,
              };
            });
            const added = await tx.q.insert(watches).values(rows).returning({ no: watches.no });
            const own = added.map(({ no }) => ({ watchNo: no, accountId }));
            await tx.q.insert(watchPages).values(own.map((one) => ({ ...pages!, ...one })));
            await tx.q.insert(watchRuns).values(own.map((one) => ({ ...done!, ...one })));
          }
        });
      }
    }

    async function postponeOthers(): Promise<void> {
      const { watches } = db.t;
      await db.tx((tx) =>
        tx.q
          .update(watches)
          .set({ nextRunAt: now + 7 * DAY })
          .where(gt(watches.no, read)),
      );
    }
  });
}

const urlOf = (no: number) => `https://www.example-${no}.com/sitemap.xml`;

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
      return {
        status: isSame ? 304 : 200,
        url,
        headers: { etag },
        headerLines: () => [],
        body,
        discard: () => undefined,
      };
    },
    postPublic: unused,
    checkPublic: unused,
    hasNameIn: unused,
    callApi: unused,
    close: async () => undefined,
  };
  return site;
}
