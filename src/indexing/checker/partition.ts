import type { Move } from "../../domain/projects/move.ts";
import { FactGroups, type PageFact } from "../../domain/projects/new-facts.ts";
import type { Action, CheckResult, CheckStage, DeliveryStatus, Lane } from "../../domain/projects/states.ts";

/** The next step of some links. Its lane is the lane of the step before, unless `lane` names another. */
export interface NextStep {
  readonly lane?: Lane;
  readonly action: Action;
  readonly stage: CheckStage;
  /** Service time. */
  readonly dueAt: number;
  readonly negatives?: number;
  readonly tries?: number;
  readonly availableMs?: number;
  readonly checkedAt?: number | null;
}

export interface DeliveryFact {
  readonly status: DeliveryStatus;
  readonly provider: string;
  readonly detail: string | null;
}

export interface ObservationFact {
  readonly result: CheckResult;
  readonly provider: string;
  readonly method: string;
  readonly reason: string | null;
  readonly counts: Readonly<Record<string, number>> | null;
  /** Set where the evidence comes to `result`. */
  readonly isVerdict?: true | undefined;
}

export type Group<Fact> = Fact & { readonly positions: number[] };

/**
 * Groups the links of a step by what becomes of them, so that links with the same outcome share rows. Each link gets
 * exactly one `next` or `done`.
 */
export class Partition {
  readonly #moves = new Groups<Change>(isSameChange);
  readonly #next = new Groups<NextStep>(isSameStep);
  readonly #deliveries = new Groups<DeliveryFact>(isSameDelivery);
  readonly #observations = new Groups<ObservationFact>(isSameObservation);
  /** Made only where there are facts, since most steps have none. */
  #facts: FactGroups | null = null;
  readonly #decided = new Set<number>();

  move(position: number, move: Change): void {
    this.#moves.add(position, move);
  }

  delivered(position: number, fact: DeliveryFact): void {
    this.#deliveries.add(position, fact);
  }

  observed(position: number, fact: ObservationFact): void {
    this.#observations.add(position, fact);
  }

  /** @param sentAt service time of sending, if a crawl of the link is to be told; null: it was not sent */
  fact(position: number, fact: PageFact, sentAt: number | null = null): void {
    this.#facts ??= new FactGroups();
    this.#facts.add(position, fact, sentAt);
  }

  next(position: number, step: NextStep): void {
    this.#decide(position);
    this.#next.add(position, step);
  }

  /** Adds a step in another lane, in addition to the link's own next step. */
  nextInLane(position: number, lane: Lane, step: NextStep): void {
    this.#next.add(position, { lane, ...step });
  }

  done(position: number): void {
    this.#decide(position);
  }

  /** @throws Error unless exactly these links have a `next` or `done`. A link without one would never be decided */
  result(positions: readonly number[]) {
    const missing = positions.filter((position) => !this.#decided.has(position));
    if (missing.length > 0 || this.#decided.size !== positions.length) {
      throw new Error(
        `a step of ${positions.length} links decided ${this.#decided.size}; missing ${missing.slice(0, 5)}`,
      );
    }
    return {
      moves: this.#moves.all,
      next: this.#next.all,
      deliveries: this.#deliveries.all,
      observations: this.#observations.all,
      facts: this.#facts,
    };
  }

  #decide(position: number): void {
    if (this.#decided.has(position)) throw new Error(`link ${position} was decided twice`);
    this.#decided.add(position);
  }
}

export type Partitioned = ReturnType<Partition["result"]>;

type Change = Omit<Move, "positions">;

/** How many groups a fact is compared with before it is searched for by its key. */
const COMPARED = 4;

/**
 * Groups of positions with equal facts, in the order of their first positions. Most steps have few groups, and
 * comparing the fields of a fact is much quicker than making a key of them.
 */
class Groups<Fact extends object> {
  readonly #isSame: (one: Fact, other: Fact) => boolean;
  readonly #groups: Group<Fact>[] = [];
  /** The groups after the first few. */
  readonly #byKey = new Map<string, Group<Fact>>();

  constructor(isSame: (one: Fact, other: Fact) => boolean) {
    this.#isSame = isSame;
  }

  get all(): Group<Fact>[] {
    return this.#groups;
  }

  add(position: number, fact: Fact): void {
    const compared = Math.min(COMPARED, this.#groups.length);
    for (let index = 0; index < compared; index++) {
      const group = this.#groups[index]!;
      if (this.#isSame(group, fact)) {
        group.positions.push(position);
        return;
      }
    }
    const key = compared < COMPARED ? null : keyOf(fact);
    const known = key === null ? undefined : this.#byKey.get(key);
    if (known) {
      known.positions.push(position);
      return;
    }
    const group = { ...fact, positions: [position] };
    this.#groups.push(group);
    if (key !== null) this.#byKey.set(key, group);
  }
}

function isSameChange(one: Change, other: Change): boolean {
  return (
    one.from === other.from &&
    one.to === other.to &&
    one.dropped === other.dropped &&
    isSameRecord(one.patch, other.patch)
  );
}

function isSameStep(one: NextStep, other: NextStep): boolean {
  return (
    one.dueAt === other.dueAt &&
    one.action === other.action &&
    one.stage === other.stage &&
    one.lane === other.lane &&
    one.negatives === other.negatives &&
    one.tries === other.tries &&
    one.availableMs === other.availableMs &&
    one.checkedAt === other.checkedAt
  );
}

function isSameDelivery(one: DeliveryFact, other: DeliveryFact): boolean {
  return one.status === other.status && one.provider === other.provider && one.detail === other.detail;
}

function isSameObservation(one: ObservationFact, other: ObservationFact): boolean {
  return (
    one.result === other.result &&
    one.provider === other.provider &&
    one.method === other.method &&
    one.reason === other.reason &&
    one.isVerdict === other.isVerdict &&
    isSameRecord(one.counts, other.counts)
  );
}

/** Whether two flat objects have equal fields; a missing field is undefined. */
function isSameRecord(one: object | null | undefined, other: object | null | undefined): boolean {
  if (!one || !other) return one === other;
  for (const name in one) if (fieldOf(one, name) !== fieldOf(other, name)) return false;
  for (const name in other) if (fieldOf(one, name) !== fieldOf(other, name)) return false;
  return true;
}

function fieldOf(record: object, name: string): unknown {
  return (record as Record<string, unknown>)[name];
}

/** A text that is equal for equal facts: the names and values of their fields, without undefined ones. */
function keyOf(fact: object): string {
  const fields = Object.entries(fact).filter(([, value]) => value !== undefined);
  return JSON.stringify(
    fields
      .map(([name, value]) => [name, typeof value === "object" && value !== null ? keyOf(value) : value] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
