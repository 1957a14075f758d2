import fc from "fast-check";
import type { Tx } from "../../db/engine.ts";
import { createAccount } from "../../src/domain/accounts/accounts.ts";
import { audit } from "../../src/domain/audit/audit.ts";
import { connectionsOf } from "../../src/domain/connections/connections.ts";
import { saveConnection } from "../../src/domain/connections/save.ts";
import { accessOfMaker } from "../../src/domain/credentials/access.ts";
import { createKeyOnce } from "../../src/domain/credentials/keys.ts";
import { endOf, principalIn, requireRole } from "../../src/domain/credentials/may-act.ts";
import { bookSandboxOrder } from "../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../src/domain/payments/orders/packs.ts";
import { invitationsOf, invitationsTo } from "../../src/domain/people/invitations.ts";
import { memberOf, membersOf } from "../../src/domain/people/members.ts";
import { createProject } from "../../src/domain/projects/create.ts";
import { NO_LIMITS } from "../../src/domain/spending/limits.ts";
import { LimitExceeded } from "../../src/domain/spending/spend.ts";
import {
  changeMemberLimits,
  changeRole,
  inviteMember,
  joinAccount,
  removeMember,
} from "../../src/domain/users/manage-members.ts";
import type { Session } from "../../src/domain/users/sessions.ts";
import type { UserServices } from "../../src/domain/users/users.ts";
import { HOUR } from "../../src/platform/clock.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { secretBoxOf } from "../../src/platform/config/secrets-key.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import { ROLES } from "../../src/platform/principal.ts";
import { packUrls } from "../../src/platform/urls/packed-urls.ts";
import { type Act, MembersModel } from "./members-model.ts";
import { withReusedDatabases } from "./reused-databases.ts";
import { Crash, type CrashPlan, World } from "./world.ts";

/** Acts in one transaction after the other, or two at once; a process may crash in one that is alone. */
type Step = { kind: "one"; act: Act; crash: CrashPlan["at"] | null } | { kind: "two"; acts: readonly [Act, Act] };

const BOX = secretBoxOf(readConfig({}));
const PEOPLE = 4;
const somebody = fc.nat(PEOPLE - 1);
const role = fc.constantFrom(...ROLES);
/** Mostly one who may do it: the first owner, while there is no other. */
const by = fc.oneof(fc.constant(0), somebody);
const of = { by, of: somebody };
const kind = <K extends Act["kind"]>(name: K) => fc.constant(name);

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: kind("invite"), ...of, role }) },
  { weight: 4, arbitrary: fc.record({ kind: kind("accept"), by: fc.integer({ min: 1, max: PEOPLE - 1 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: kind("role"), ...of, role }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("remove"), ...of, heir: fc.option(somebody) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("limit"), ...of, total: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ kind: kind("make"), by: somebody, id: fc.constant("") }) },
  { weight: 5, arbitrary: fc.record({ kind: kind("call"), key: fc.nat(4), urls: fc.integer({ min: 1, max: 4 }) }) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("one" as const),
      act,
      crash: fc.option(fc.constantFrom("before commit" as const, "after commit" as const), { freq: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("two" as const), acts: fc.tuple(act, act) }) },
);

/** Gives each key an id of its own: one that is made twice under the same id is made once. */
function withKeyIds(steps: readonly Step[]): Step[] {
  let keys = 0;
  const named = (one: Act): Act =>
    one.kind === "make" ? { ...one, id: `key_${String(++keys).padStart(20, "0")}` } : one;
  return steps.map((one) =>
    one.kind === "one"
      ? { ...one, act: named(one.act) }
      : { ...one, acts: [named(one.acts[0]), named(one.acts[1])] as const },
  );
}

/**
 * Runs random histories of an account whose people invite, change and remove each other, and submit by their keys, with crashes and
 * with two transactions at once.
 * @throws Error with the smallest history in which two at once did what no order of them does, somebody did what the role does not allow or could not do what it does, what a
 * removed person had made acted or did not reach its heir, a budget was passed, or the books did not add up
 */
export async function runMemberModel(options: { histories: number; seed: number; shrink?: boolean }): Promise<number> {
  const { histories: numRuns, seed, shrink } = options;
  const property = fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 80, size: "max" }), (steps) =>
    new History().play(withKeyIds(steps)),
  );
  await withReusedDatabases(() => fc.assert(property, { numRuns, seed, endOnFailure: shrink === false }));
  return numRuns;
}

/** One history, with what the account must look like. */
class History {
  readonly #world = new World();
  readonly #people: { personId: string; email: string }[] = [];
  readonly #model = new MembersModel();

  async play(steps: readonly Step[]): Promise<void> {
    const world = this.#world;
    await world.open();
    try {
      await this.#begin();
      for (const one of steps) {
        world.clock.pass(HOUR);
        if (one.kind === "one") await this.#playOne(one);
        else await this.#playTwo(one.acts);
      }
      const { problems } = await audit(world.books);
      if (problems.length > 0) throw new Error(problems.join("\n"));
    } finally {
      await world.close();
    }
  }

  async #playOne({ act, crash }: Step & { kind: "one" }): Promise<void> {
    const world = this.#world;
    const before = this.#model.state;
    const planned = this.#model.take(act);
    // A refusal comes before the commit, where no crash is.
    const isCrash = crash !== null && (planned === "done" || planned === "nothing");
    if (isCrash && crash === "before commit") this.#model.reset(before);
    world.crashPlan = crash && { at: crash, after: 0 };
    const outcome = await this.#act(act);
    if (world.isDead) world.restart();
    world.crashPlan = null;
    const expected = isCrash ? "crash" : planned;
    if (outcome !== expected) throw new Error(`${JSON.stringify(act)}: ${outcome}, not ${expected}`);
    await this.#compare();
  }

  /** Two at once do what they do one after the other, in either order. */
  async #playTwo([one, other]: readonly [Act, Act]): Promise<void> {
    const before = this.#model.state;
    const orders = [
      () => [this.#model.take(one), this.#model.take(other)],
      () => [this.#model.take(other), this.#model.take(one)].reverse(),
    ];
    const outcomes = await Promise.all([this.#act(one), this.#act(other)]);
    const problems: unknown[] = [];
    for (const order of orders) {
      this.#model.reset(before);
      try {
        const expected = order();
        if (String(outcomes) !== String(expected)) throw new Error(`${outcomes}, not ${expected}`);
        return await this.#compare();
      } catch (thrown) {
        problems.push(thrown);
      }
    }
    throw new Error(`at once ${JSON.stringify([one, other])}: ${problems.join("; or ")}`);
  }

  async #begin(): Promise<void> {
    const { books, accounts, clock } = this.#world;
    const accountId = accounts[0]!;
    const now = clock.now();
    await books.tx(async (tx) => {
      await bookSandboxOrder(tx, { accountId, pack: PACKS[0], credits: 10_000, now });
      const [owner] = await membersOf(tx, accountId);
      this.#people.push(owner!);
      for (let one = 1; one < PEOPLE; one++) {
        const email = `person${one}@example.com`;
        const { ownerId: personId } = await createAccount(tx, { email, verifiedAt: now, now });
        this.#people.push({ personId, email });
      }
    });
  }

  async #act(step: Act): Promise<string> {
    try {
      return (await this.#try(step)) === false ? "nothing" : "done";
    } catch (thrown) {
      if (thrown instanceof Crash) return "crash";
      if (thrown instanceof Refusal) return thrown.code;
      if (thrown instanceof LimitExceeded) return thrown.exceeded.limit;
      throw thrown;
    }
  }

  async #try(step: Act): Promise<boolean | undefined> {
    const { db, clock } = this.#world;
    if (step.kind === "call") return this.#call(step);
    const session = this.#session(step.by);
    const by = { session, ip: "127.0.0.1", now: clock.now() };
    const services = { mailer: { queue: async () => undefined }, siteUrl: "http://x" } as unknown as UserServices;
    return db.tx(async (tx) => {
      if (step.kind === "make") return this.#make(tx, step);
      if (step.kind === "accept") {
        const [invitation] = (await invitationsTo(tx, session.email, by.now)).slice(-1);
        return invitation ? (await joinAccount(tx, { ...by, id: invitation.id })) !== null : false;
      }
      const { personId, email } = this.#people[step.of]!;
      if (step.kind === "invite") await inviteMember(tx, services, { ...by, email, role: step.role });
      else if (step.kind === "role") await changeRole(tx, { ...by, personId, role: step.role });
      else if (step.kind === "limit")
        await changeMemberLimits(tx, { ...by, personId, limits: { ...NO_LIMITS, total: step.total } });
      else {
        const heir = step.heir === null ? null : this.#people[step.heir]!.personId;
        await removeMember(tx, services, { ...by, personId, heir });
      }
      return undefined;
    });
  }

  /** Asks for the role in the transaction, as the pages of keys and of connections do. */
  async #make(tx: Tx, { by, id }: Act & { kind: "make" }): Promise<boolean> {
    const { accounts, clock } = this.#world;
    const { personId } = this.#people[by]!;
    const made = { accountId: accounts[0]!, personId, now: clock.now() };
    const own = await memberOf(tx, made);
    if (!own) throw new Refusal("not_found", "no member");
    requireRole(own.role, "keys");
    if ((await createKeyOnce(tx, { ...made, id, name: "k", mode: "sandbox" })) === "full") return false;
    const google = { kind: "search_console", subject: id, name: id, scopes: "", secret: "s" } as const;
    await saveConnection(tx, BOX, { ...made, ...google, properties: [], ip: "127.0.0.1" });
    return true;
  }

  async #call({ key: no, urls }: Act & { kind: "call" }): Promise<undefined> {
    const { db, books, accounts, clock } = this.#world;
    const accountId = accounts[0]!;
    const now = clock.now();
    const access = await accessOfMaker(books, accountId, this.#model.state.keys[no]?.id ?? "key_none");
    if (endOf(access, { scopes: [], now }) !== null) throw new Refusal("unauthorized", "ended");
    const spender = { principal: principalIn(access!), operation: "submit_urls", inputHash: () => "i" };
    const list = packUrls(Array.from({ length: urls }, (_, at) => `https://example.com/${at}`));
    const draft = { kind: "index", mode: "standard", bing: false, yandex: false, dripDays: 0, urls: list } as const;
    await db.tx((tx) => createProject(tx, { ...draft, accountId, spender, now, service: clock.service() }));
  }

  #session(by: number): Session {
    const person = this.#people[by]!;
    const rest = { id: "ses_model", accountId: this.#world.accounts[0]!, verifiedAt: 1 };
    return { ...person, ...rest } as unknown as Session;
  }

  /** Members, invitations, keys and connections are the ones of the model. */
  async #compare(): Promise<void> {
    const { books, accounts } = this.#world;
    const { roles, invited, keys: known } = this.#model.state;
    const accountId = accounts[0]!;
    const numbers = new Map(this.#people.map(({ personId }, no) => [personId, no]));
    const members = await membersOf(books, accountId);
    same(
      "members",
      members.map((one) => [numbers.get(one.personId), one.role]),
      [...roles],
    );
    const invitations = await invitationsOf(books, accountId, this.#world.clock.now());
    same(
      "invitations",
      invitations.map((one) => [this.#people.findIndex(({ email }) => email === one.email), one.role]),
      [...invited].map(([person, one]) => [person, one.role]),
    );
    const { apiKeys } = books.t;
    const keys = (await books.q.select().from(apiKeys)).filter((one) => known.some(({ id }) => id === one.id));
    const alive = known.flatMap(({ id, person }) => (person === null ? [] : [[id, person]]));
    const stored = keys.flatMap((one) => (one.revokedAt ? [] : [[one.id, numbers.get(one.personId)]]));
    same("keys", stored, alive);
    const connections = await connectionsOf(books, accountId);
    same(
      "connections",
      connections.map((one) => [one.name, numbers.get(one.personId)]),
      alive,
    );
  }
}

function same(what: string, found: unknown[], expected: unknown[]): void {
  const text = (list: unknown[]) => JSON.stringify(list.map((one) => JSON.stringify(one)).sort());
  if (text(found) !== text(expected)) throw new Error(`${what}: ${text(found)}, not ${text(expected)}`);
}
