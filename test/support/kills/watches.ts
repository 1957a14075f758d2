import { eq } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { openDatabase } from "../../../db/open.ts";
import { audit } from "../../../src/domain/audit/audit.ts";
import { entriesOf } from "../../../src/domain/ledger/ledger.ts";
import { sitemapServer, urlset } from "../network/sitemap-server.ts";
import { openAccount } from "../nodes/account.ts";
import { SeededRandom } from "../nodes/seeded-random.ts";
import { KillableService } from "./killable-service.ts";

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
  /** Runs that were acknowledged, and those that died with their process. */
  readonly acknowledged: number;
  readonly cut: number;
  readonly pages: number;
}

const CREDITS = 100_000;
/** Fewer than in the first run, so that runs leave something. */
const MOST_PER_RUN = 25;
/** Pages that are new with each call, so that each has work. */
const NEW_PER_RUN = 4;
/** Calls at the same time. */
const LANES = 2;
/** Runs that a process acknowledges before it is killed, at most. */
const MOST_ACKNOWLEDGED = 4;
interface RunAnswer {
  readonly run?: { readonly project_id: string | null; readonly submitted: number; readonly waiting: number };
}

/**
 * Runs a watch of a sitemap that grows, in a process that is killed in the middle of its work and started again: after a random number
 * of acknowledged runs, at a random time within the length of the next one. Then each page has to have been submitted once, what was
 * acknowledged has to be there, and what the watch says it has spent to be what the ledger says.
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
  const service = serviceOver(databaseUrl, site.port);
  try {
    const { id: accountId, keys } = await openAccount(db, CREDITS);
    const pages: string[] = [];
    const grow = (more: number) => {
      for (; more > 0; more--) pages.push(`https://example.com/${accountId}/${pages.length}`);
      return site.serve("/sitemap.xml", urlset(pages));
    };
    const sitemap_url = grow(60);
    const post = poster(keys[0]!);
    const settings = { first_run: "submit", most_per_run: MOST_PER_RUN, credits_per_month: CREDITS };
    const first = await service.start();
    const made = await post(first.address, "watches", { sitemap_url, ...settings });
    await first.stop();
    const { watch } = made as { watch: { id: string } };
    const run = async (address: string, more = {}) =>
      (await post(address, `watches/${watch.id}/run`, more)) as RunAnswer;
    const answers: NonNullable<RunAnswer["run"]>[] = [];
    let cut = 0;
    /** How long a run takes, in ms: the mean of the last ones. */
    let length = 50;
    for (let kill = 0; kill < kills; kill++) {
      const before = answers.length;
      const target = before + random.between(1, MOST_ACKNOWLEDGED);
      const share = random.between(0, 100) / 100;
      const lane = async (address: string) => {
        for (;;) {
          grow(NEW_PER_RUN);
          const start = performance.now();
          const answer = await run(address).catch(() => null);
          if (answer === null) cut += 1;
          if (answer === null) return;
          // Of two at the same moment one is told to call again.
          if (!answer.run) continue;
          answers.push(answer.run);
          length = (length + performance.now() - start) / 2;
        }
      };
      await forgetCalls(db);
      await service.live(async ({ address }) => {
        // Loads what reads sitemaps.
        await run(address, { dry_run: true });
        return {
          work: Promise.all(Array.from({ length: LANES }, () => lane(address))),
          isReached: (isOver) => isOver || answers.length >= target,
          ms: () => share * length,
        };
      });
      say(`kill ${kill + 1}: ${answers.length - before} runs acknowledged`);
    }
    const last = await service.start();
    for (let waiting = 1; waiting > 0; ) {
      await forgetCalls(db);
      waiting = (await run(last.address)).run?.waiting ?? waiting;
    }
    last.kill();
    const problems = [...(await broken(db, accountId, { pages, answers })), ...(await audit(db)).problems];
    return { problems, kills, acknowledged: answers.length, cut, pages: pages.length };
  } finally {
    service.close();
    await db.close();
    await site.close();
  }
}

/** Empties the windows of all limits, as the time that passes would. */
async function forgetCalls(db: Engine): Promise<void> {
  await db.tx(({ q, t }) => q.delete(t.windows));
}

/** What a reader of the books sees, who knows the pages. */
async function broken(
  db: Engine,
  accountId: string,
  { pages, answers }: { readonly pages: readonly string[]; readonly answers: readonly NonNullable<RunAnswer["run"]>[] },
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
  for (const { project_id: id, submitted } of answers)
    if (id !== null && made.find((project) => project.id === id)?.total !== submitted)
      problems.push(`a run acknowledged ${submitted} pages in ${id}, which are not there`);
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

function serviceOver(databaseUrl: string, port: number): KillableService {
  const reachable = { FETCH_ALLOW_CIDRS: "127.0.0.0/8", FETCH_ALLOW_PORTS: String(port) };
  return new KillableService(databaseUrl, { SECRETS_KEY: Buffer.alloc(32, 5).toString("base64"), ...reachable });
}
