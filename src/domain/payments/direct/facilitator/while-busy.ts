import { SECOND } from "../../../../platform/clock.ts";

/** Pauses between two rounds of upkeep, in ms: the longer, the more often the nodes did not answer. */
const PAUSES = [2 * SECOND, 4 * SECOND, 8 * SECOND, 15 * SECOND];

/** Repeats work as long as there is some, even if no call and no reconciler starts it. */
export class WhileBusy {
  readonly #isBusy: () => boolean;
  readonly #work: () => Promise<boolean>;
  #timer: NodeJS.Timeout | null = null;
  #failures = 0;
  #isStopped = false;

  /** @param work resolves to false if the nodes did not answer */
  constructor(isBusy: () => boolean, work: () => Promise<boolean>) {
    this.#isBusy = isBusy;
    this.#work = work;
  }

  /** Starts, unless it is running. It does not keep the process from ending. */
  begin(): void {
    if (this.#timer || this.#isStopped || !this.#isBusy()) return;
    const pause = PAUSES[Math.min(this.#failures, PAUSES.length - 1)];
    this.#timer = setTimeout(async () => {
      this.#failures = (await this.#work()) ? 0 : this.#failures + 1;
      this.#timer = null;
      this.begin();
    }, pause).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer ?? undefined);
  }
}
