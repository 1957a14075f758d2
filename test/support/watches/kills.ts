import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { openDatabase } from "../../../db/open.ts";
import { audit } from "../../../src/domain/audit/audit.ts";
import { entriesOf } from "../../../src/domain/ledger/ledger.ts";
import { sitemapServer, urlset } from "../network/sitemap-server.ts";
import { openAccount } from "../nodes/account.ts";
import { SeededRandom } from "../nodes/seeded-random.ts";
import { PROGRAM } from "../service/beckon-command.ts";

export interface WatchKillOptions {
  readonly databaseUrl: string;
  readonly seed: number;
  readonly kills: number;
  /** Prints a line for each kill. */
  say?(line: string): void;
}

export interface WatchKillReport {
  /** One sentence for each law that does not hold. */
  readonly problems: readonly string[];
  readonly kills: number;
  /** Calls of run_watch that were answered, and those that died with their process. */
  readonly answered: number;
  readonly cut: number;
  readonly pages: number;
}

const CREDITS = 100_000;
/** Fewer than are new with each kill and those that wait, so that runs leave something. */
const MOST_PER_RUN = 25;
/** Calls beside each other, and one after the other, that a process is given: within the limit of an hour. */
const LANES = 2;
const CALLS = 2;
const KILLS_PER_ACCOUNT = 8;

/** A run takes some 30 ms in a process that has read a sitemap before. */
const LONGEST_MS = 120;

/**
 * Runs a watch of a sitemap that grows, in a process that is killed at random moments and started again. Then each page has to have
 * been submitted once, and what the watch says it has spent to be what the ledger says.
 */
export async function watchKills({
  databaseUrl,
  seed,
  kills,
  say = () => undefined,
}: WatchKillOptions): Promise<WatchKillReport> {
  const random = new SeededRandom(seed);
  const site = await sitemapServer();
  const db = await openDatabase(databaseUrl);
  const report = { problems: [] as string[], kills, answered: 0, cut: 0, pages: 0 };
  try {
    for (let done = 0; done < kills; done += KILLS_PER_ACCOUNT) {
      const { id: accountId, keys } = await openAccount(db, CREDITS);
      const path = `/${accountId}.xml`;
      const page = (no: number) => `https://example.com/${accountId}/${no}`;
      const pages = Array.from({ length: 60 }, (_, at) => page(at));
      const sitemap_url = site.serve(path, urlset(pages));
      const first = await startService(databaseUrl, site.port);
      const post = poster(keys[0]!);
      const settings = { first_run: "submit", most_per_run: MOST_PER_RUN, credits_per_month: CREDITS };
      const { watch } = (await post(first.address, "watches", { sitemap_url, ...settings })) as {
        watch: { id: string };
      };
      const run = (address: string, more = {}) => post(address, `watches/${watch.id}/run`, more);
      let service = first;
      for (let kill = done; kill < Math.min(kills, done + KILLS_PER_ACCOUNT); kill++) {
        await run(service.address, { dry_run: true });
        const ms = random.between(0, LONGEST_MS);
        // One in two dies after it has answered, with another run on its way.
        let answers = random.between(0, 1);
        const calls = Array.from({ length: LANES }, async () => {
          for (let call = 0; call < CALLS; call++) {
            const isAnswered = await run(service.address).then(
              () => true,
              () => false,
            );
            report[isAnswered ? "answered" : "cut"] += 1;
            answers -= 1;
          }
        });
        while (answers > 0) await sleep(2);
        await sleep(ms);
        await killed(service.process);
        await Promise.all(calls);
        say(`kill ${kill + 1} after ${ms} ms`);
        for (let more = random.between(1, 20); more > 0; more--) pages.push(page(pages.length));
        site.serve(path, urlset(pages));
        service = await startService(databaseUrl, site.port);
      }
      for (let left = 1; left > 0; ) {
        const answer = (await run(service.address)) as { run: { waiting: number } };
        left = answer.run.waiting;
      }
      await killed(service.process);
      report.pages += pages.length;
      report.problems.push(...(await broken(db, accountId, pages)));
    }
    report.problems.push(...(await audit(db)).problems);
    return report;
  } finally {
    await db.close();
    await site.close();
  }
}

/** What a reader of the books sees, who knows the pages. */
async function broken(
  db: Awaited<ReturnType<typeof openDatabase>>,
  accountId: string,
  pages: readonly string[],
): Promise<string[]> {
  const { links, projects, watches } = db.t;
  const times = new Map<string, number>(pages.map((url) => [url, 0]));
  const rows = await db.q.select({ url: links.url }).from(links);
  for (const { url } of rows) if (url.includes(accountId)) times.set(url, (times.get(url) ?? 0) + 1);
  const problems = [...times].flatMap(([url, count]) => (count === 1 ? [] : [`${url} was submitted ${count} times`]));
  const [watch] = await db.q.select().from(watches).where(eq(watches.accountId, accountId));
  const made = await db.q.select().from(projects).where(eq(projects.accountId, accountId));
  const { rows: entries } = await entriesOf(db, accountId, { limit: 10_000, offset: 0 });
  const spent = -entries.reduce((total, { kind, credits }) => total + (kind === "spend" ? credits : 0), 0);
  const inProjects = made.reduce((total, { creditsSpent }) => total + creditsSpent, 0);
  for (const [what, credits] of Object.entries({ "the watch": watch!.spentThisMonth, "its projects": inProjects }))
    if (credits !== spent) problems.push(`${what} spent ${credits} credits, the ledger says ${spent}`);
  if (watch!.waiting !== 0) problems.push(`${watch!.waiting} pages wait`);
  return problems;
}

function poster(key: string) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return async (address: string, path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${address}/api/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    // Of two runs at the same moment one is asked to call again.
    if (!response.ok && response.status !== 503) throw new Error(await response.text());
    return response.json();
  };
}

async function killed(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

async function startService(databaseUrl: string, port: number): Promise<{ process: ChildProcess; address: string }> {
  const reachable = { FETCH_ALLOW_CIDRS: "127.0.0.0/8", FETCH_ALLOW_PORTS: String(port) };
  const settings = { PORT: "0", LOG_LEVEL: "silent", SECRETS_KEY: Buffer.alloc(32, 5).toString("base64") };
  const env = { PATH: process.env.PATH, ...settings, ...reachable, DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, [...PROGRAM, "serve", "--json"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return { process: child, address: JSON.parse(line).address };
}
