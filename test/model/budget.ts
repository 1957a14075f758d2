import { and, eq, sum } from "drizzle-orm";
import { setLimits } from "../../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../../src/domain/spending/limits.ts";
import { DAY } from "../../src/platform/clock.ts";
import type { World } from "./world.ts";

/** What the caller may spend, and has spent: by sums of its own that know nothing of how budgets are kept. */
export class ModelBudget {
  readonly #world: World;
  #total = Number.POSITIVE_INFINITY;
  #perDay = Number.POSITIVE_INFINITY;
  #spent = 0;
  #spentOnDay = { day: 0, credits: 0 };

  constructor(world: World) {
    this.#world = world;
  }

  /** Sets limits that leave so many credits; null: no limit. */
  async limit(left: { readonly total: number | null; readonly perDay: number | null }): Promise<void> {
    const total = left.total === null ? null : this.#spent + left.total;
    const perDay = left.perDay === null ? null : this.#spentToday() + left.perDay;
    const { accountId, credential } = this.#world.callers[0]!;
    const key = { accountId, holder: credential.holder };
    await this.#world.books.tx((tx) => setLimits(tx, key, { ...NO_LIMITS, total, perDay }));
    this.#total = total ?? Number.POSITIVE_INFINITY;
    this.#perDay = perDay ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Compares what a call of this cost has spent with the limits, whether it was answered, refused or crashed.
   * @throws Error when it passed a limit, or was refused though it fits
   */
  async check(cost: number, isRefusedByLimit: boolean): Promise<void> {
    const fits = this.#spent + cost <= this.#total && this.#spentToday() + cost <= this.#perDay;
    const spent = (await this.#spentByLedger()) - this.#spent;
    const what = `a call of ${cost} credits, with ${this.#spent} of ${this.#total} spent, and today ${this.#spentToday()} of ${this.#perDay},`;
    if (spent !== 0 && spent !== cost) throw new Error(`${what} has spent ${spent}`);
    if (spent > 0 && !fits) throw new Error(`${what} was made`);
    if (isRefusedByLimit && (fits || spent > 0)) throw new Error(`${what} was refused`);
    this.#spentOnDay = { day: this.#today(), credits: this.#spentToday() + spent };
    this.#spent += spent;
  }

  /** Notes what was spent since, by whatever. @throws Error when it passed a limit */
  async observe(): Promise<void> {
    const spent = (await this.#spentByLedger()) - this.#spent;
    if (spent === 0) return;
    const fits = this.#spent + spent <= this.#total && this.#spentToday() + spent <= this.#perDay;
    const before = `${this.#spent} of ${this.#total} were spent, and today ${this.#spentToday()} of ${this.#perDay}`;
    if (!fits) throw new Error(`${spent} credits were spent when ${before}`);
    this.#spentOnDay = { day: this.#today(), credits: this.#spentToday() + spent };
    this.#spent += spent;
  }

  #today(): number {
    return Math.floor(this.#world.clock.now() / DAY);
  }

  #spentToday(): number {
    return this.#spentOnDay.day === this.#today() ? this.#spentOnDay.credits : 0;
  }

  async #spentByLedger(): Promise<number> {
    const { q, t } = this.#world.books;
    const isSpend = and(eq(t.ledger.accountId, this.#world.accounts[0]!), eq(t.ledger.kind, "spend"));
    const [row] = await q
      .select({ credits: sum(t.ledger.credits).mapWith(Number) })
      .from(t.ledger)
      .where(isSpend);
    return -(row!.credits ?? 0);
  }
}
