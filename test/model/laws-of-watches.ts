import { asc, eq } from "drizzle-orm";
import { audit } from "../../src/domain/audit/audit.ts";
import { linkKey } from "../../src/platform/ids.ts";
import type { ModelBudget } from "./budget.ts";
import type { WatchedSite } from "./watched-site.ts";
import type { World } from "./world.ts";

/** Keys of links that one project may take up. */
const LINKS_OF_A_PROJECT = linkKey(1, 0);

/** What the laws of watches remember from one command to the next. */
export class WatchLaws {
  readonly #world: World;
  readonly #sites: readonly WatchedSite[];
  readonly #budget: ModelBudget;
  /** Credits that a site has cost, by its host and the month. */
  #spent = new Map<string, number>();
  /** How often a page was submitted by hand, and whether that was before a watch had submitted it. */
  readonly #byHand = new Map<string, { times: number; wasFirst: boolean }>();

  constructor(world: World, sites: readonly WatchedSite[], budget: ModelBudget) {
    this.#world = world;
    this.#sites = sites;
    this.#budget = budget;
  }

  /** Notes what a submission by hand has come to, whether it was answered, refused or crashed. */
  async noteByHand(urls: readonly string[], submit: () => Promise<unknown>): Promise<void> {
    const before = await this.submissions();
    try {
      await submit();
    } finally {
      const after = await this.submissions();
      for (const url of urls) {
        const [earlier, now] = [before.get(url) ?? 0, after.get(url) ?? 0];
        const known = this.#byHand.get(url);
        if (now > earlier)
          this.#byHand.set(url, { times: (known?.times ?? 0) + 1, wasFirst: known?.wasFirst ?? earlier === 0 });
      }
    }
  }

  /** How often each URL was submitted to be indexed, by its links. */
  async submissions(): Promise<Map<string, number>> {
    const { q, t } = this.#world.books;
    const times = new Map<string, number>();
    const isOfIndex = new Set<number>();
    for (const { no } of await q.select().from(t.projects).where(eq(t.projects.kind, "index"))) isOfIndex.add(no);
    for (const { id, url } of await q.select({ id: t.links.id, url: t.links.url }).from(t.links))
      if (isOfIndex.has(Math.floor(id / LINKS_OF_A_PROJECT))) times.set(url, (times.get(url) ?? 0) + 1);
    return times;
  }

  /** @throws Error with the law that does not hold after a command */
  async prove(): Promise<void> {
    if (this.#world.failure) throw this.#world.failure;
    const { problems } = await audit(this.#world.books);
    if (problems.length > 0) throw new Error(problems.join("\n"));
    await this.#budget.observe();
    await this.#proveSubmissions();
    await this.#proveMonths();
  }

  /** A page is submitted once by its watch, and again at most as often as it has changed. */
  async #proveSubmissions(): Promise<void> {
    const edits = new Map(this.#sites.flatMap((site) => [...site.edits]));
    for (const [url, times] of await this.submissions()) {
      const hand = this.#byHand.get(url) ?? { times: 0, wasFirst: false };
      const allowed = hand.times + (hand.wasFirst ? 0 : 1) + edits.get(url)!;
      if (times > allowed) throw new Error(`${url} was submitted ${times} times, ${hand.times} of them by hand`);
    }
  }

  /** Where a watch has spent, it is within what it may spend in the month, by the projects that bear the name of its site. */
  async #proveMonths(): Promise<void> {
    const { q, t } = this.#world.books;
    const spent = new Map<string, number>();
    for (const { name, createdAt, creditsSpent } of await q.select().from(t.projects).orderBy(asc(t.projects.no))) {
      const [, host] = /^(?:Watch|Recheck) of (.*)$/.exec(name) ?? [];
      if (host === undefined) continue;
      const month = `${host} ${new Date(createdAt).toISOString().slice(0, 7)}`;
      spent.set(month, (spent.get(month) ?? 0) + creditsSpent);
    }
    for (const [month, credits] of spent) {
      if (credits === this.#spent.get(month)) continue;
      const [host] = month.split(" ");
      const site = this.#sites.find((one) => one.host === host)!;
      const [watch] = await q.select().from(t.watches).where(eq(t.watches.sitemapUrl, site.sitemap));
      if (credits > watch!.creditsPerMonth)
        throw new Error(`${month}: ${credits} credits were spent of ${watch!.creditsPerMonth}`);
    }
    this.#spent = spent;
  }
}
