import fc from "fast-check";
import { createAccount } from "../../src/domain/accounts/accounts.ts";
import { audit } from "../../src/domain/audit/audit.ts";
import { connectionsOf } from "../../src/domain/connections/connections.ts";
import { saveConnection } from "../../src/domain/connections/save.ts";
import { accessOfMaker } from "../../src/domain/credentials/access.ts";
import { createKeyOnce } from "../../src/domain/credentials/keys.ts";
import { endOf, principalIn } from "../../src/domain/credentials/may-act.ts";
import { bookSandboxOrder } from "../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../src/domain/payments/orders/packs.ts";
import { invitationsOf, invitationsTo } from "../../src/domain/people/invitations.ts";
import { membersOf } from "../../src/domain/people/members.ts";
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
import { newId } from "../../src/platform/ids.ts";
import { ROLES, type Role } from "../../src/platform/principal.ts";
import { packUrls } from "../../src/platform/urls/packed-urls.ts";
import { withReusedDatabases } from "./reused-databases.ts";
import { World } from "./world.ts";

/** Who does it, and to whom; people are numbered. The first one owns the account, the others are invited. */
type Step =
  | { kind: "invite"; by: number; of: number; role: Role }
  | { kind: "role"; by: number; of: number; role: Role }
  | { kind: "accept"; by: number }
  | { kind: "make"; by: number }
  | { kind: "remove"; by: number; of: number; heir: number | null }
  | { kind: "limit"; by: number; of: number; total: number }
  | { kind: "call"; key: number; urls: number };

const BOX = secretBoxOf(readConfig({}));
const PEOPLE = 4;
const somebody = fc.nat(PEOPLE - 1);
const role = fc.constantFrom(...ROLES);
/** Mostly one who may do it: the first owner, while there is no other. */
const by = fc.oneof(fc.constant(0), somebody);
const of = { by, of: somebody };
const kind = <K extends Step["kind"]>(name: K) => fc.constant(name);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: kind("invite"), ...of, role }) },
  { weight: 4, arbitrary: fc.record({ kind: kind("accept"), by: fc.integer({ min: 1, max: PEOPLE - 1 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: kind("role"), ...of, role }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("remove"), ...of, heir: fc.option(somebody) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("limit"), ...of, total: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ kind: kind("make"), by: somebody }) },
  { weight: 5, arbitrary: fc.record({ kind: kind("call"), key: fc.nat(4), urls: fc.integer({ min: 1, max: 4 }) }) },
);

/** What each role may do, written down once more. */
const MANAGES: readonly Role[] = ["owner", "manager"];
const SUBMITS: readonly Role[] = ["owner", "manager", "member"];

/**
 * Runs random histories of an account whose people invite, change and remove each other, and submit by their keys.
 * @throws Error with the smallest history in which somebody did what the role does not allow or could not do what it does, what a
 * removed person had made acted or did not reach its heir, a budget was passed, or the books did not add up
 */
export async function runMemberModel(options: { histories: number; seed: number; shrink?: boolean }): Promise<number> {
  const { histories: numRuns, seed, shrink } = options;
  const property = fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 80, size: "max" }), (steps) =>
    new History().play(steps),
  );
  await withReusedDatabases(() => fc.assert(property, { numRuns, seed, endOnFailure: shrink === false }));
  return numRuns;
}

/** One history, with what the account must look like. */
class History {
  readonly #world = new World();
  readonly #people: { personId: string; email: string }[] = [];
  readonly #roles = new Map<number, Role>([[0, "owner"]]);
  readonly #invited = new Map<number, { role: Role; by: number }>();
  /** Null: ended. */
  readonly #keys: { id: string; person: number | null }[] = [];
  readonly #spent = new Map<number, number>();
  readonly #limits = new Map<number, number>();

  async play(steps: readonly Step[]): Promise<void> {
    const world = this.#world;
    await world.open();
    try {
      await this.#begin();
      for (const one of steps) {
        world.clock.pass(HOUR);
        const expected = this.#expected(one);
        const outcome = await this.#act(one);
        if (outcome !== expected) throw new Error(`${JSON.stringify(one)}: ${outcome}, not ${expected}`);
        await this.#compare();
      }
      const { problems } = await audit(world.books);
      if (problems.length > 0) throw new Error(problems.join("\n"));
    } finally {
      await world.close();
    }
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

  /** What must come of a step, which the model takes. */
  #expected(step: Step): string {
    if (step.kind === "call") return this.#expectedCall(step);
    const own = this.#roles.get(step.by);
    if (step.kind === "accept") {
      const invitation = this.#invited.get(step.by);
      this.#invited.delete(step.by);
      if (!invitation) return "nothing";
      this.#become(step.by, invitation.role);
      return "done";
    }
    if (!own) return "not_found";
    if (step.kind === "make") {
      if (MANAGES.includes(own)) this.#keys.push({ id: `key_${this.#keys.length}`, person: step.by });
      return MANAGES.includes(own) ? "done" : "nothing";
    }
    const its = this.#roles.get(step.of);
    const mayGive = (...roles: (Role | undefined)[]) =>
      own === "owner" || (own === "manager" && !roles.includes("owner"));
    if (step.kind === "invite") {
      if (!mayGive(step.role)) return "insufficient_scope";
      if (its) return "invalid_request";
      this.#invited.set(step.of, { role: step.role, by: step.by });
      return "done";
    }
    if (step.kind === "limit") {
      if (!mayGive()) return "insufficient_scope";
      if (!its) return "not_found";
      if (its !== "member") return "invalid_request";
      this.#limits.set(step.of, step.total);
      return "done";
    }
    const next = step.kind === "role" ? step.role : undefined;
    if (!its) return "not_found";
    const isLeaving = step.kind === "remove" && step.by === step.of;
    if (!isLeaving && !mayGive(its, next)) return "insufficient_scope";
    const isLastOwner = its === "owner" && [...this.#roles.values()].filter((one) => one === "owner").length === 1;
    if (isLastOwner && next !== "owner") return "invalid_request";
    if (step.kind === "remove") {
      const { heir } = step;
      if (heir !== null && (heir === step.of || !this.#roles.has(heir))) return "invalid_request";
      this.#roles.delete(step.of);
      this.#limits.delete(step.of);
      for (const key of this.#keys) if (key.person === step.of) key.person = heir;
    } else if (next !== its) this.#become(step.of, next!);
    for (const [invited, { by }] of this.#invited) if (by === step.of) this.#invited.delete(invited);
    return "done";
  }

  #become(person: number, role: Role): void {
    this.#roles.set(person, role);
    // The first limits are far above what a history spends.
    this.#limits.delete(person);
  }

  #expectedCall({ key: no, urls }: Step & { kind: "call" }): string {
    const person = this.#keys[no]?.person ?? null;
    if (person === null) return "unauthorized";
    if (!SUBMITS.includes(this.#roles.get(person)!)) return "insufficient_scope";
    const spent = (this.#spent.get(person) ?? 0) + urls;
    if (spent > (this.#limits.get(person) ?? Number.POSITIVE_INFINITY)) return "memberTotal";
    this.#spent.set(person, spent);
    return "done";
  }

  async #act(step: Step): Promise<string> {
    try {
      return (await this.#try(step)) === false ? "nothing" : "done";
    } catch (thrown) {
      if (thrown instanceof Refusal) return thrown.code;
      if (thrown instanceof LimitExceeded) return thrown.exceeded.limit;
      throw thrown;
    }
  }

  async #try(step: Step): Promise<boolean | undefined> {
    const { books, clock } = this.#world;
    if (step.kind === "call") return this.#call(step);
    const session = this.#session(step.by);
    const by = { session, ip: "127.0.0.1", now: clock.now() };
    const services = { mailer: { queue: async () => undefined }, siteUrl: "http://x" } as unknown as UserServices;
    return books.tx(async (tx) => {
      if (step.kind === "make") return this.#make(tx, step.by);
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

  /** The pages of keys and of connections are for those who manage; so the model asks before. */
  async #make(tx: Parameters<Parameters<World["books"]["tx"]>[0]>[0], by: number): Promise<boolean> {
    const own = this.#roles.get(by);
    if (!own) throw new Refusal("not_found", "no member");
    if (!MANAGES.includes(own)) return false;
    const { accounts, clock } = this.#world;
    const { personId } = this.#people[by]!;
    const made = { accountId: accounts[0]!, personId, now: clock.now() };
    const key = this.#keys.at(-1)!;
    key.id = newId("key");
    await createKeyOnce(tx, { ...made, id: key.id, name: "k", mode: "sandbox" });
    const google = { kind: "search_console", subject: key.id, name: key.id, scopes: "", secret: "s" } as const;
    await saveConnection(tx, BOX, { ...made, ...google, properties: [], ip: "127.0.0.1" });
    return true;
  }

  async #call({ key: no, urls }: Step & { kind: "call" }): Promise<undefined> {
    const { books, accounts, clock } = this.#world;
    const accountId = accounts[0]!;
    const now = clock.now();
    const access = await accessOfMaker(books, accountId, this.#keys[no]?.id ?? "key_none");
    if (endOf(access, { scopes: [], now }) !== null) throw new Refusal("unauthorized", "ended");
    const spender = { principal: principalIn(access!), operation: "submit_urls", inputHash: () => "i" };
    const list = packUrls(Array.from({ length: urls }, (_, at) => `https://example.com/${at}`));
    const draft = { kind: "index", mode: "standard", bing: false, yandex: false, dripDays: 0, urls: list } as const;
    await books.tx((tx) => createProject(tx, { ...draft, accountId, spender, now, service: clock.service() }));
  }

  #session(by: number): Session {
    const person = this.#people[by]!;
    const rest = { id: "ses_model", accountId: this.#world.accounts[0]!, verifiedAt: 1 };
    return { ...person, ...rest } as unknown as Session;
  }

  /** Members, invitations, keys and connections are the ones of the model. */
  async #compare(): Promise<void> {
    const { books, accounts } = this.#world;
    const accountId = accounts[0]!;
    const numbers = new Map(this.#people.map(({ personId }, no) => [personId, no]));
    const members = await membersOf(books, accountId);
    same(
      "members",
      members.map((one) => [numbers.get(one.personId), one.role]),
      [...this.#roles],
    );
    const invitations = await invitationsOf(books, accountId, this.#world.clock.now());
    same(
      "invitations",
      invitations.map((one) => [this.#people.findIndex(({ email }) => email === one.email), one.role]),
      [...this.#invited].map(([invited, one]) => [invited, one.role]),
    );
    const { apiKeys } = books.t;
    const keys = (await books.q.select().from(apiKeys)).filter((one) => this.#keys.some(({ id }) => id === one.id));
    const alive = this.#keys.flatMap(({ id, person }) => (person === null ? [] : [[id, person]]));
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
