import { eq } from "drizzle-orm";
import fc from "fast-check";
import { bookSandboxOrder } from "../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../src/domain/payments/orders/packs.ts";
import { calendarDay } from "../../src/domain/spending/calendar.ts";
import type { WatchRow } from "../../src/domain/watches/rows.ts";
import { CHANGED_PAGES, FIRST_RUNS, RECHECKS } from "../../src/domain/watches/settings.ts";
import { DAY, HOUR } from "../../src/platform/clock.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import { VirtualSite } from "../support/watches/virtual-site.ts";
import { ModelBudget } from "./budget.ts";
import { WatchLaws } from "./laws-of-watches.ts";
import { withReusedDatabases } from "./reused-databases.ts";
import { SITE_CHANGES, type SiteChange, WatchedSite } from "./watched-site.ts";
import { Crash, type CrashPlan, World } from "./world.ts";

/** A command to a service that watches two sites, or what happens to one of these. */
type Command =
  | { kind: "save"; site: number; settings: Settings }
  | { kind: "site"; site: number; change: SiteChange; pages: number }
  | { kind: "run"; site: number; release: boolean; dry: boolean; isBeside: boolean }
  | { kind: "by hand"; site: number; pages: number }
  | { kind: "limit"; total: number | null; perDay: number | null }
  | { kind: "buy" }
  /** Null: until the month has turned. */
  | { kind: "wait"; hours: number | null };

interface Settings {
  readonly credits_per_month: number;
  readonly most_per_run: number;
  readonly first_run: (typeof FIRST_RUNS)[number];
  readonly changed_pages: (typeof CHANGED_PAGES)[number];
  readonly recheck: (typeof RECHECKS)[number];
  readonly status: "active" | "paused" | "stopped";
}

type Step = Command & { crash: CrashPlan | null };

const kind = <K extends Command["kind"]>(name: K) => fc.constant(name);
const site = fc.nat(1);
const settings: fc.Arbitrary<Settings> = fc.record({
  credits_per_month: fc.constantFrom(0, 3, 10, 30, 1_000),
  most_per_run: fc.constantFrom(2, 10, 100),
  first_run: fc.constantFrom(...FIRST_RUNS, "submit"),
  changed_pages: fc.constantFrom(...CHANGED_PAGES, "submit", "submit"),
  recheck: fc.constantFrom(...RECHECKS, "week", "week", "week"),
  status: fc.constantFrom("active", "active", "active", "active", "paused", "stopped"),
});
const left = fc.option(fc.nat(30), { freq: 2 });
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: kind("save"), site, settings }) },
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ kind: kind("site"), site, pages: fc.integer({ min: 1, max: 12 }) },
      change: fc.constantFrom<SiteChange>(...SITE_CHANGES, "grows", "grows", "is edited"),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ kind: kind("run"), site, release: fc.boolean(), isBeside: fc.boolean() },
      dry: fc.constantFrom(false, false, false, true),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind("by hand"), site, pages: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("limit"), total: left, perDay: left }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("buy") }) },
  { weight: 5, arbitrary: fc.record({ kind: kind("wait"), hours: fc.constantFrom(1, 30, 100, 400, 800, null) }) },
);
const crash = fc.option(
  fc.record({ at: fc.constantFrom<CrashPlan["at"]>("before commit", "after commit"), after: fc.nat(4) }),
  { freq: 3 },
);
const opening = fc.tuple(
  ...[0, 1].map((number) => fc.record({ kind: kind("save"), site: fc.constant(number), settings })),
);
const steps: fc.Arbitrary<Step[]> = fc
  .tuple(opening, fc.array(fc.tuple(command, crash), { minLength: 12, maxLength: 28, size: "max" }))
  .map(([first, more]) => [
    ...first.map((one) => ({ ...one, crash: null })),
    ...more.map(([one, crashPlan]) => ({ ...one, crash: crashPlan })),
  ]);

/**
 * Runs random histories of two watches with crashes, and checks the laws after each command.
 * @throws Error with the smallest history that breaks a law
 */
export async function runWatchModel(options: { histories: number; seed: number; shrink?: boolean }): Promise<number> {
  const { histories: numRuns, seed, shrink } = options;
  const property = fc.asyncProperty(steps, async (list) => new Play().all(list));
  await withReusedDatabases(() => fc.assert(property, { numRuns, seed, endOnFailure: shrink === false }));
  return numRuns;
}

const EXPECTED: readonly string[] = ["insufficient_credits", "spending_limit", "unavailable", "rate_limited"];

/** Between two rounds of the worker, so that a project comes to its end in a long time. */
const LONGEST_WAIT = 120 * HOUR;

class Play {
  readonly #net = new VirtualSite();
  readonly #world = new World({ http: this.#net.http });
  readonly #sites = [0, 1].map((number) => new WatchedSite(this.#net, number));
  readonly #budget = new ModelBudget(this.#world);
  readonly #laws = new WatchLaws(this.#world, this.#sites, this.#budget);
  /** Sites of which pages were once taken as known without being submitted. */
  readonly #withBaseline = new Set<WatchedSite>();

  async all(list: readonly Step[]): Promise<void> {
    const world = this.#world;
    await world.open();
    try {
      await this.#buy();
      for (const step of list) {
        world.crashPlan = step.crash && { ...step.crash };
        await this.#attempt(step);
        if (world.isDead) world.restart();
        world.crashPlan = null;
        await this.#laws.prove();
      }
      await this.#finish();
    } finally {
      // Waits for a transaction that a crash has left behind.
      await world.books.tx(async () => undefined);
      await world.close();
    }
  }

  async #attempt(step: Step): Promise<void> {
    try {
      await this.#perform(step);
    } catch (thrown) {
      this.#expect(thrown);
    }
  }

  async #perform(step: Step): Promise<void> {
    const { clock } = this.#world;
    if (step.kind === "buy") return this.#buy();
    if (step.kind === "limit") return this.#budget.limit(step);
    if (step.kind === "wait") return this.#wait(step.hours);
    const site = this.#sites[step.site]!;
    if (step.kind === "site") return site.change(step.change, { ...step, service: clock.service() });
    if (step.kind === "save") return this.#save(site, step.settings);
    if (step.kind === "run") return this.#run(site, step);
    const urls = site.pages.slice(-step.pages);
    if (urls.length > 0) await this.#laws.noteByHand(urls, () => this.#world.call("submit_urls", { urls }));
  }

  async #buy(): Promise<void> {
    const now = this.#world.clock.now();
    const order = { accountId: this.#world.accounts[0]!, pack: PACKS[0], credits: 60, now };
    await this.#world.db.tx((tx) => bookSandboxOrder(tx, order));
  }

  async #wait(hours: number | null): Promise<void> {
    const { clock } = this.#world;
    const until = hours === null ? calendarDay(clock.service()).nextMonth : clock.service() + hours * HOUR;
    while (clock.service() < until) {
      clock.pass(Math.min(until - clock.service(), LONGEST_WAIT));
      await this.#world.drain();
    }
    await this.#world.runWatches();
    await this.#world.drain();
  }

  async #save(site: WatchedSite, settings: Settings): Promise<void> {
    const isNew = (await this.#watchOf(site)) === null;
    if ((isNew && settings.first_run === "baseline") || settings.status === "stopped") this.#withBaseline.add(site);
    await this.#world.call("watch_sitemap", { sitemap_url: site.sitemap, ...settings });
  }

  async #watchOf({ sitemap }: WatchedSite): Promise<WatchRow | null> {
    const { q, t } = this.#world.books;
    const [row] = await q.select().from(t.watches).where(eq(t.watches.sitemapUrl, sitemap));
    return row ?? null;
  }

  async #run(site: WatchedSite, { release, dry, isBeside }: Command & { kind: "run" }): Promise<void> {
    const watch = await this.#watchOf(site);
    if (watch === null || watch.status === "stopped" || watch.status === "paused") return;
    const before = await this.#stateOf(watch);
    const call = this.#world.call("run_watch", { watch_id: watch.id, release, dry_run: dry });
    // Of two at the same moment, one does it.
    const others =
      isBeside && !dry ? [this.#world.call("run_watch", { watch_id: watch.id }), this.#world.runWatches()] : [];
    const outcomes = await Promise.allSettled([call, ...others]);
    for (const outcome of outcomes) if (outcome.status === "rejected") this.#expect(outcome.reason);
    const after = await this.#stateOf(watch);
    if (dry && JSON.stringify(after) !== JSON.stringify(before)) throw new Error("a dry run has changed something");
    if (dry || others.length > 0 || outcomes[0]!.status === "rejected") return;
    const { run } = (await call) as { run: { credits_spent: number; submitted: number } };
    const spent = before.balance - after.balance;
    const submitted = after.links - before.links;
    if (run.credits_spent !== spent || run.submitted !== submitted)
      throw new Error(`a run says ${run.submitted} pages and ${run.credits_spent} credits: ${submitted} and ${spent}`);
  }

  /** @throws what is neither a crash nor a refusal that the account's state explains */
  #expect(thrown: unknown): void {
    const isExpected = thrown instanceof Refusal && EXPECTED.includes(thrown.code);
    if (!(thrown instanceof Crash) && !isExpected) throw thrown;
  }

  async #stateOf({ no }: WatchRow) {
    const { q, t } = this.#world.books;
    const [account] = await q.select().from(t.accounts);
    const { length: links } = await q.select({ id: t.links.id }).from(t.links);
    const [watch] = await q.select().from(t.watches).where(eq(t.watches.no, no));
    return { balance: account!.credits, links, watch };
  }

  /** With time and credits, each page that is listed has been submitted, where none was taken as known. */
  async #finish(): Promise<void> {
    const world = this.#world;
    await this.#budget.limit({ total: null, perDay: null });
    for (let more = 0; more < 10; more++) await this.#buy();
    const enough = { credits_per_month: 1_000, most_per_run: 1_000, new_pages: "submit", status: "active" };
    for (const site of this.#sites) {
      world.clock.pass(DAY);
      site.change("comes back", { pages: 0, service: world.clock.service() });
      await world.call("watch_sitemap", { sitemap_url: site.sitemap, first_run: "submit", ...enough });
      const watch = await this.#watchOf(site);
      await world.call("run_watch", { watch_id: watch!.id, release: true });
      await this.#laws.prove();
      if (this.#withBaseline.has(site)) continue;
      const submissions = await this.#laws.submissions();
      const missing = site.pages.filter((url) => !submissions.has(url));
      if (missing.length > 0) throw new Error(`never submitted: ${missing.join(", ")}`);
    }
  }
}
