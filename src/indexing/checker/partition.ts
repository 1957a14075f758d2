import type { Move } from "../../domain/projects/move.ts";
import type { Action, CheckResult, CheckStage, DeliveryStatus, Lane } from "../../domain/projects/states.ts";

/** The next step of some links, in the lane of the step before unless `lane` names another. */
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
}

export type Group<Fact> = Fact & { readonly positions: number[] };

/**
 * Groups the links of a step by what becomes of them, so that links of equal fate share rows. Each link gets exactly one
 * `next` or `done`.
 */
export class Partition {
  readonly #moves = new Map<string, Move & { positions: number[] }>();
  readonly #next = new Map<string, Group<NextStep>>();
  readonly #deliveries = new Map<string, Group<DeliveryFact>>();
  readonly #observations = new Map<string, Group<ObservationFact>>();
  readonly #decided = new Set<number>();

  move(position: number, move: Omit<Move, "positions">): void {
    add(this.#moves, `${move.from} ${move.to} ${move.dropped} ${keyOf(move.patch)}`, position, move);
  }

  delivered(position: number, fact: DeliveryFact): void {
    add(this.#deliveries, keyOf(fact), position, fact);
  }

  observed(position: number, fact: ObservationFact): void {
    const { result, provider, method, reason, counts } = fact;
    add(this.#observations, `${result} ${provider} ${method} ${reason} ${keyOf(counts)}`, position, fact);
  }

  next(position: number, step: NextStep): void {
    this.#decide(position);
    add(this.#next, keyOf(step), position, step);
  }

  /** Adds a step in another lane, besides the link's own next step. */
  nextInLane(position: number, lane: Lane, step: NextStep): void {
    const inLane: NextStep = { lane, ...step };
    add(this.#next, keyOf(inLane), position, inLane);
  }

  done(position: number): void {
    this.#decide(position);
  }

  /** @throws Error unless exactly these links have a `next` or `done`: a link without one would never be decided */
  result(positions: readonly number[]) {
    const missing = positions.filter((position) => !this.#decided.has(position));
    if (missing.length > 0 || this.#decided.size !== positions.length) {
      throw new Error(
        `a step of ${positions.length} links decided ${this.#decided.size}; missing ${missing.slice(0, 5)}`,
      );
    }
    return {
      moves: [...this.#moves.values()],
      next: [...this.#next.values()],
      deliveries: [...this.#deliveries.values()],
      observations: [...this.#observations.values()],
    };
  }

  #decide(position: number): void {
    if (this.#decided.has(position)) throw new Error(`link ${position} was decided twice`);
    this.#decided.add(position);
  }
}

export type Partitioned = ReturnType<Partition["result"]>;

function add<Fact extends object>(
  groups: Map<string, Fact & { positions: number[] }>,
  key: string,
  position: number,
  fact: Fact,
): void {
  const group = groups.get(key);
  if (group) group.positions.push(position);
  else groups.set(key, { ...fact, positions: [position] });
}

/** Equal for facts with equal fields in the same order; each kind of fact is made in one place, so the order is fixed. */
function keyOf(fact: object | null | undefined): string {
  let key = "";
  for (const name in fact) key += `${name}=${(fact as Record<string, unknown>)[name]};`;
  return key;
}
