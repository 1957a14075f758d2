import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../../../db/open.ts";
import { createAccount } from "../../../../src/domain/accounts/accounts.ts";
import { audit } from "../../../../src/domain/audit/audit.ts";
import { bookSandboxOrder } from "../../../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../../../src/domain/payments/orders/packs.ts";
import { NO_PAYMENTS } from "../../../../src/domain/payments/payments.ts";
import { Mutex } from "../../../../src/platform/concurrency.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import type { HttpClient } from "../../../../src/platform/http-client/http-client.ts";
import { bulkExecutor } from "../../../../src/process/bulk/executor.ts";
import readSitemap from "../../../../tools/read-sitemap.ts";
import submitSitemap from "../../../../tools/submit-sitemap.ts";
import { keyPrincipal } from "../../../support/database/key-principal.ts";
import { sitemapServer, urlset } from "../../../support/network/sitemap-server.ts";
import { TestClock } from "../../../support/service/clock.ts";

/** The way out of this thread, which must not be taken. */
const http: HttpClient = {
  fetchPublic: () => Promise.reject(new Error("visited from the main thread")),
  postPublic: () => Promise.reject(new Error("posted from the main thread")),
  checkPublic: () => Promise.reject(new Error("looked up from the main thread")),
  hasNameIn: () => Promise.reject(new Error("looked up from the main thread")),
  callApi: () => Promise.reject(new Error("asked from the main thread")),
  close: async () => undefined,
};

test("sitemaps are fetched, read and submitted on the thread, and refusals keep their fields", async () => {
  const folder = mkdtempSync(join(tmpdir(), "beckon-bulk-"));
  const site = await sitemapServer();
  const config = readConfig({
    DATABASE_URL: `file:${join(folder, "bulk.db")}`,
    FETCH_ALLOW_CIDRS: "127.0.0.0/8",
    FETCH_ALLOW_PORTS: String(site.port),
  });
  const lock = new Mutex();
  const db = await openDatabase(config.databaseUrl, { lock });
  const clock = new TestClock();
  const bulk = bulkExecutor({ config, clock, db, http, payments: NO_PAYMENTS }, lock);
  const now = clock.now();
  const accountId = await db.tx(async (tx) => {
    const { id } = await createAccount(tx, { email: "bulk@example.com", now });
    await bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], credits: 100, now });
    return id;
  });
  const principal = await keyPrincipal(db, accountId, ["index"]);
  const run = async (operation: typeof readSitemap | typeof submitSitemap, input: object, signal?: AbortSignal) => {
    const work = { operation, input, audience: "program", principal, requestsToday: 1, signal } as const;
    return JSON.parse((await bulk.run(work)).text);
  };

  const urls = ["https://example.com/1", "https://example.com/2"];
  const sitemap_url = site.serve("/sitemap.xml", urlset(urls));
  expect((await run(readSitemap, { sitemap_url })).urls).toEqual(urls);
  expect(await run(submitSitemap, { sitemap_url })).toMatchObject({ urls_accepted: 2, balance: 98 });
  await expect(run(readSitemap, { sitemap_url: `${site.url}/not.xml` })).rejects.toMatchObject({
    name: "Refusal",
    code: "sitemap_unreachable",
    fields: { reason: "http_404" },
  });

  // A caller that goes away: the thread hangs up on the sitemap's server.
  const client = new AbortController();
  const hungUp = new Promise((resolve) => {
    site.serve("/slow.xml", (res) => {
      res.once("close", resolve);
      client.abort();
    });
  });
  const input = { sitemap_url: `${site.url}/slow.xml` };
  await expect(run(submitSitemap, input, client.signal)).rejects.toMatchObject({ code: "unavailable" });
  await hungUp;
  expect((await audit(db)).problems).toEqual([]);

  await bulk.stop();
  await db.close();
  await site.close();
  rmSync(folder, { recursive: true });
});
