import type { Move } from "../../domain/projects/settle.ts";
import type { Action, CheckResult, CheckStage, DeliveryStatus, Lane } from "../../domain/projects/states.ts";

/** What the next step of some links is; its lane is that of the step before, unless it says another. */
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
 * What becomes of the links of a step, gathered link by link and grouped by equal fate. Each link is told
 * exactly once that it is done or what comes next.
 */
export class Partition {
  readonly #moves = new Map<string, Move & { positions: number[] }>();
  readonly #next = new Map<string, Group<NextStep>>();
  readonly #deliveries = new Map<string, Group<DeliveryFact>>();
  readonly #observations = new Map<string, Group<ObservationFact>>();
  readonly #told = new Set<number>();

  move(position: number, move: Omit<Move, "positions">): void {
    add(this.#moves, `${move.from} ${move.to} ${keyOf(move.patch)}`, position, move);
  }

  delivered(position: number, fact: DeliveryFact): void {
    add(this.#deliveries, keyOf(fact), position, fact);
  }

  observed(position: number, fact: ObservationFact): void {
    const { result, provider, method, reason, counts } = fact;
    add(this.#observations, `${result} ${provider} ${method} ${reason} ${keyOf(counts)}`, position, fact);
  }

  next(position: number, step: NextStep): void {
    this.#tell(position);
    add(this.#next, keyOf(step), position, step);
  }

  /** What another lane has to do with the link, beside its own next step. */
  nextInLane(position: number, lane: Lane, step: NextStep): void {
    const there: NextStep = { lane, ...step };
    add(this.#next, keyOf(there), position, there);
  }

  done(position: number): void {
    this.#tell(position);
  }

  /** @throws Error unless exactly these links were told their fate: a dropped link would never be decided */
  result(positions: readonly number[]) {
    const missing = positions.filter((position) => !this.#told.has(position));
    if (missing.length > 0 || this.#told.size !== positions.length) {
      throw new Error(`a step of ${positions.length} links told ${this.#told.size}; missing ${missing.slice(0, 5)}`);
    }
    return {
      moves: [...this.#moves.values()],
      next: [...this.#next.values()],
      deliveries: [...this.#deliveries.values()],
      observations: [...this.#observations.values()],
    };
  }

  #tell(position: number): void {
    if (this.#told.has(position)) throw new Error(`link ${position} was told its fate twice`);
    this.#told.add(position);
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

/** Equal for facts with equal fields, in the order in which the one place that makes them writes them. */
function keyOf(fact: object | null | undefined): string {
  let key = "";
  for (const name in fact) key += `${name}=${(fact as Record<string, unknown>)[name]};`;
  return key;
}
