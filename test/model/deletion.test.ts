import fc from "fast-check";
import { expect, test } from "vitest";
import { audit } from "../../src/domain/audit/audit.ts";
import { deleteAccounts } from "../../src/domain/deletion/delete-account.ts";
import { keepAccount, requestDeletion } from "../../src/domain/deletion/request-deletion.ts";
import { bookSandboxOrder } from "../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../src/domain/payments/orders/packs.ts";
import { SessionEnded, sessionOf } from "../../src/domain/users/sessions.ts";
import { FATES } from "../../src/indexing/engines/sandbox/fate.ts";
import { DAY, HOUR } from "../../src/platform/clock.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import { fuzzRuns } from "../support/checks/fuzz-runs.ts";
import { isOnPostgres } from "../support/database/database.ts";
import { openSessionOf } from "../support/database/people.ts";
import { visitor } from "../support/website/test-users.ts";
import { withReusedDatabases } from "./reused-databases.ts";
import { Crash, type CrashPlan, World } from "./world.ts";

const RUNS = fuzzRuns(isOnPostgres ? 2 : 12);
const EMAIL = "model0@example.com";
const FATE_NAMES = Object.keys(FATES);
const OWNER = visitor("the owner's laptop");

interface Step {
  readonly act: "buy" | "submit" | "check" | "request" | "keep" | "housekeeping" | "work";
  readonly links: number;
  readonly drip: number;
  readonly hours: number;
  readonly crash: CrashPlan | null;
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    act: fc.constantFrom("buy", "submit", "submit", "check", "request", "keep", "housekeeping", "work"),
    links: fc.integer({ min: 1, max: 30 }),
    drip: fc.constantFrom(0, 3, 7),
    hours: fc.integer({ min: 0, max: 60 }),
    crash: fc.option(
      fc.record({ at: fc.constantFrom("before commit", "after commit", "after send"), after: fc.nat(5) }),
    ),
  }) as fc.Arbitrary<Step>,
  { minLength: 10, maxLength: 25, size: "max" },
);

/** Runs work whose process may crash, or which is refused as the state of the account demands. */
async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (!(thrown instanceof Crash || thrown instanceof Refusal || thrown instanceof SessionEnded)) throw thrown;
  }
}

class Owner {
  readonly world: World;
  #serial = 0;

  constructor(world: World) {
    this.world = world;
  }

  get accountId(): string {
    return this.world.accounts[0]!;
  }

  get #services() {
    const mailer = { queue: async () => undefined };
    return { db: this.world.db, mailer, siteUrl: "https://beckon.test" };
  }

  get #times() {
    const { clock } = this.world;
    return { now: clock.now(), service: clock.service() };
  }

  async isDeleted(): Promise<boolean> {
    const { books } = this.world;
    const [account] = await books.q.select().from(books.t.accounts);
    return account!.deletedAt !== null;
  }

  async perform({ act, links, drip }: Step): Promise<void> {
    const fate = (n: number) => FATE_NAMES[(this.#serial + n) % FATE_NAMES.length];
    const urls = Array.from({ length: links }, (_, n) => `https://example.com/${this.#serial}/${n}?sandbox=${fate(n)}`);
    this.#serial += 1;
    if (act === "work") await this.world.drain();
    else if (act === "housekeeping") await deleteAccounts(this.#services, this.#times);
    // To a tombstone too: a payment may come late, and a call may be on its way when its credential ends.
    else if (act === "buy") await this.buy();
    else if (act === "submit") await this.world.call("submit_urls", { urls, drip_days: drip });
    else if (act === "check") await this.world.call("check_urls", { urls });
    else if (act === "request") await this.request();
    else if (act === "keep") await this.keep();
  }

  async buy(): Promise<void> {
    const { now } = this.#times;
    await this.world.db.tx((tx) => bookSandboxOrder(tx, { accountId: this.accountId, pack: PACKS[0], now }));
  }

  async request(): Promise<void> {
    const session = await this.#session();
    const request = { typed: EMAIL, visitor: OWNER, times: this.#times };
    if (session) await requestDeletion(this.#services, { session, ...request });
  }

  async keep(): Promise<void> {
    const session = await this.#session();
    if (session) await keepAccount(this.#services, { session, visitor: OWNER, times: this.#times });
  }

  async #session() {
    if (await this.isDeleted()) return null;
    const { books } = this.world;
    const { now } = this.#times;
    const opened = { accountId: this.accountId, browser: "Firefox", ip: "192.0.2.1", now };
    return sessionOf(books, await books.tx((tx) => openSessionOf(tx, opened)), now);
  }
}

async function prove(world: World): Promise<void> {
  if (world.failure) throw world.failure;
  expect((await audit(world.books)).problems).toEqual([]);
}

async function play(list: readonly Step[]): Promise<void> {
  const world = new World();
  await world.open();
  try {
    const owner = new Owner(world);
    await owner.buy();
    for (const step of list) {
      world.clock.pass(step.hours * HOUR);
      world.crashPlan = step.crash && { ...step.crash };
      await attempt(() => owner.perform(step));
      if (world.isDead) world.restart();
      world.crashPlan = null;
      await prove(world);
    }
    await attempt(() => owner.request());
    world.clock.pass(7 * DAY);
    await owner.perform({ ...list[0]!, act: "housekeeping" });
    await world.drain();
    await prove(world);
    expect(await owner.isDeleted()).toBe(true);
    const { q, t } = world.books;
    for (const table of [t.projects, t.links, t.steps, t.accountDeletions, t.sessions])
      expect(await q.select().from(table as typeof t.projects)).toEqual([]);
  } finally {
    await world.close();
  }
}

test("law: the books add up after each step of a deletion, whatever the account does meanwhile and wherever a process ends", async () => {
  await withReusedDatabases(() => fc.assert(fc.asyncProperty(steps, play), { numRuns: RUNS, seed: 20_261_123 }));
}, 900_000);
