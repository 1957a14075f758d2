import { readFileSync } from "node:fs";
import { openDatabase } from "../db/open.ts";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { bookSandboxOrder } from "../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../src/domain/payments/orders/packs.ts";
import { createProject } from "../src/domain/projects/create.ts";
import { readLog } from "../src/indexing/visits/read-log.ts";
import { recordVisits, rememberImport } from "../src/indexing/visits/visits.ts";
import { packUrls } from "../src/platform/urls/packed-urls.ts";
import { costOf } from "./support.ts";

/** What importing a log costs, in a process of its own. */
export interface VisitsReading {
  readonly megabytes: number;
  readonly lines: number;
  readonly matched: number;
  /** ms */
  readonly wall: number;
  readonly cpu: number;
  /** MB: what the process has in memory before, and at most. */
  readonly before: number;
  readonly peak: number;
}

export const LINKS = 10_000;
export const AT = Date.parse("2026-01-05T12:00:00Z");
const HOST = "www.example.com";
const megabytes = () => process.memoryUsage().rss / 1024 / 1024;

export const pathOf = (index: number) => `/archive/2025/a-page-about-something-worth-reading-${index}.html`;

/** Imports the logs in files into a new database. */
async function importLogs(url: string, files: readonly string[]): Promise<VisitsReading> {
  const db = await openDatabase(url);
  const accountId = await db.tx(async (tx) => {
    const { id } = await createAccount(tx, { email: "bench@example.com", now: AT });
    await bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], credits: LINKS, now: AT });
    const urls = packUrls(Array.from({ length: LINKS }, (_, index) => `https://${HOST}${pathOf(index)}`));
    const draft = { kind: "index", mode: "standard", bing: false, yandex: false, dripDays: 0 } as const;
    await createProject(tx, { ...draft, accountId: id, urls, now: AT, service: AT });
    return id;
  });
  const http = { hasNameIn: async () => false };
  let [bytes, lines, matched] = [0, 0, 0];
  const take = async (body: Buffer) => {
    const source = { body, maxBytes: 64 * 1024 * 1024, host: HOST, accountId, now: AT, latest: AT };
    const { visits, digest, ...reading } = await readLog({ db, http }, source);
    await db.tx(async (tx) => {
      await rememberImport(tx, { accountId, siteId: "site", digest, at: AT });
      await recordVisits(tx, accountId, visits);
    });
    lines += reading.lines;
    bytes += body.length;
    matched += visits.reduce((sum, { count }) => sum + count, 0);
  };
  const before = megabytes();
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, megabytes());
  }, 5);
  const cost = await costOf(async () => {
    for (const file of files) await take(readFileSync(file));
  });
  clearInterval(sampler);
  return { megabytes: Math.round(bytes / 1e6), lines, matched, ...cost, before, peak: Math.max(peak, megabytes()) };
}

if (process.send && process.argv[1]?.endsWith("visits-reader.ts")) {
  const [url, ...files] = process.argv.slice(2);
  process.send(await importLogs(url!, files));
}
