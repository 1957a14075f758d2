import type { Role } from "../../src/platform/principal.ts";
import { SIZES } from "../../src/platform/sizes.ts";

/** Who does what, and to whom; people are numbered. The first one owns the account, the others are invited. */
export type Act =
  | { kind: "invite"; by: number; of: number; role: Role }
  | { kind: "role"; by: number; of: number; role: Role }
  | { kind: "accept"; by: number }
  | { kind: "make"; by: number; id: string }
  | { kind: "remove"; by: number; of: number; heir: number | null }
  | { kind: "limit"; by: number; of: number; total: number }
  | { kind: "call"; key: number; urls: number };

/** What each role may do, written down once more. */
const MANAGES: readonly Role[] = ["owner", "manager"];
const SUBMITS: readonly Role[] = ["owner", "manager", "member"];

/** What an account must look like. */
export interface State {
  readonly roles: ReadonlyMap<number, Role>;
  readonly invited: ReadonlyMap<number, { readonly role: Role; readonly by: number }>;
  readonly spent: ReadonlyMap<number, number>;
  readonly limits: ReadonlyMap<number, number>;
  /** In the order in which they were made. Null: ended. */
  readonly keys: readonly { readonly id: string; readonly person: number | null }[];
}

/** What must come of each act, written down once more. */
export class MembersModel {
  #roles = new Map<number, Role>([[0, "owner"]]);
  #invited = new Map<number, { role: Role; by: number }>();
  #keys: State["keys"] = [];
  #spent = new Map<number, number>();
  #limits = new Map<number, number>();

  get state(): State {
    return {
      roles: new Map(this.#roles),
      invited: new Map(this.#invited),
      spent: new Map(this.#spent),
      limits: new Map(this.#limits),
      keys: this.#keys,
    };
  }

  reset({ roles, invited, spent, limits, keys }: State): void {
    this.#roles = new Map(roles);
    this.#invited = new Map(invited);
    this.#spent = new Map(spent);
    this.#limits = new Map(limits);
    this.#keys = keys;
  }

  /** What must come of an act, which the model takes. */
  take(step: Act): string {
    if (step.kind === "call") return this.#expectedCall(step);
    const own = this.#roles.get(step.by);
    if (step.kind === "accept") {
      const invitation = this.#invited.get(step.by);
      this.#invited.delete(step.by);
      if (!invitation) return "nothing";
      this.#give(step.by, invitation.role);
      return "done";
    }
    if (!own) return "not_found";
    if (step.kind === "make") {
      if (!MANAGES.includes(own)) return "insufficient_scope";
      const alive = this.#keys.filter(({ person }) => person !== null).length;
      // The account has a key of its own, which the model leaves alone.
      if (alive + 1 >= SIZES.activeKeys) return "nothing";
      this.#keys = [...this.#keys, { id: step.id, person: step.by }];
      return "done";
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
      this.#keys = this.#keys.map((key) => (key.person === step.of ? { ...key, person: heir } : key));
    } else if (next !== its) this.#give(step.of, next!);
    for (const [invited, { by }] of this.#invited) if (by === step.of) this.#invited.delete(invited);
    return "done";
  }

  #give(person: number, role: Role): void {
    this.#roles.set(person, role);
    // The first limits are far above what a history spends.
    this.#limits.delete(person);
  }

  #expectedCall({ key: no, urls }: Act & { kind: "call" }): string {
    const person = this.#keys[no]?.person ?? null;
    if (person === null) return "unauthorized";
    if (!SUBMITS.includes(this.#roles.get(person)!)) return "insufficient_scope";
    const spent = (this.#spent.get(person) ?? 0) + urls;
    if (spent > (this.#limits.get(person) ?? Number.POSITIVE_INFINITY)) return "memberTotal";
    this.#spent.set(person, spent);
    return "done";
  }
}
