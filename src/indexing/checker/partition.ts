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

export type Group<Fact> = Fact & { readonly places: number[] };

/**
 * What becomes of the links of a step, gathered link by link and grouped by equal fate. Each link is told
 * exactly once that it is done or what comes next.
 */
export class Partition {
  readonly #moves = new Map<string, Move & { places: number[] }>();
  readonly #next = new Map<string, Group<NextStep>>();
  readonly #deliveries = new Map<string, Group<DeliveryFact>>();
  readonly #observations = new Map<string, Group<ObservationFact>>();
  readonly #told = new Set<number>();

  move(place: number, move: Omit<Move, "places">): void {
    add(this.#moves, `${move.from} ${move.to} ${keyOf(move.patch)}`, place, move);
  }

  delivered(place: number, fact: DeliveryFact): void {
    add(this.#deliveries, keyOf(fact), place, fact);
  }

  observed(place: number, fact: ObservationFact): void {
    const { result, provider, method, reason, counts } = fact;
    add(this.#observations, `${result} ${provider} ${method} ${reason} ${keyOf(counts)}`, place, fact);
  }

  next(place: number, step: NextStep): void {
    this.#tell(place);
    add(this.#next, keyOf(step), place, step);
  }

  /** What another lane has to do with the link, beside its own next step. */
  beside(place: number, lane: Lane, step: NextStep): void {
    const there: NextStep = { lane, ...step };
    add(this.#next, keyOf(there), place, there);
  }

  done(place: number): void {
    this.#tell(place);
  }

  /** @throws Error unless exactly these links were told their fate: a dropped link would never be decided */
  result(places: readonly number[]) {
    const missing = places.filter((place) => !this.#told.has(place));
    if (missing.length > 0 || this.#told.size !== places.length) {
      throw new Error(`a step of ${places.length} links told ${this.#told.size}; missing ${missing.slice(0, 5)}`);
    }
    return {
      moves: [...this.#moves.values()],
      next: [...this.#next.values()],
      deliveries: [...this.#deliveries.values()],
      observations: [...this.#observations.values()],
    };
  }

  #tell(place: number): void {
    if (this.#told.has(place)) throw new Error(`link ${place} was told its fate twice`);
    this.#told.add(place);
  }
}

export type Partitioned = ReturnType<Partition["result"]>;

function add<Fact extends object>(
  groups: Map<string, Fact & { places: number[] }>,
  key: string,
  place: number,
  fact: Fact,
): void {
  const group = groups.get(key);
  if (group) group.places.push(place);
  else groups.set(key, { ...fact, places: [place] });
}

/** Equal for facts with equal fields, in the order in which the one place that makes them writes them. */
function keyOf(fact: object | null | undefined): string {
  let key = "";
  for (const name in fact) key += `${name}=${(fact as Record<string, unknown>)[name]};`;
  return key;
}
