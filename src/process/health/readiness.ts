import type { Engine } from "../../../db/engine.ts";
import { SECOND } from "../../platform/clock.ts";

/** How long the database may take to answer. */
const PATIENCE_MS = 2 * SECOND;
/** An answer is good for so long, in ms: whoever asks more often asks the database no more often. */
const GOOD_FOR_MS = 500;

export interface Readiness {
  readonly ready: boolean;
  readonly checks: {
    readonly process: "ok" | "stopping";
    readonly database: "ok" | "no_answer";
    /** `differs`: another version of this program has brought the database to its own schema. */
    readonly schema: "ok" | "differs" | "unknown";
  };
}

/** Whether callers should be sent to this process. */
export class Ready {
  readonly #db: Pick<Engine, "isCurrent">;
  readonly #patienceMs: number;
  #stopping = false;
  /** The question that is open; a database that hangs is asked once, not once for each who wants to know. */
  #asked: Promise<boolean> | null = null;
  #answer: { readonly isCurrent: boolean | null; readonly until: number } | null = null;

  constructor(db: Pick<Engine, "isCurrent">, patienceMs = PATIENCE_MS) {
    this.#db = db;
    this.#patienceMs = patienceMs;
  }

  /** From here on it is not. */
  stop(): void {
    this.#stopping = true;
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  /** Never throws. */
  async look(): Promise<Readiness> {
    const isCurrent = await this.#isCurrent();
    const checks = {
      process: this.#stopping ? "stopping" : "ok",
      database: isCurrent === null ? "no_answer" : "ok",
      schema: isCurrent === null ? "unknown" : isCurrent ? "ok" : "differs",
    } as const;
    return { ready: isCurrent === true && !this.#stopping, checks };
  }

  /** null: nobody answered in time. */
  async #isCurrent(): Promise<boolean | null> {
    if (this.#answer && this.#answer.until > performance.now()) return this.#answer.isCurrent;
    this.#asked ??= this.#db.isCurrent().finally(() => {
      this.#asked = null;
    });
    let timer: NodeJS.Timeout | undefined;
    const timeUp = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, this.#patienceMs, null);
    });
    const isCurrent = await Promise.race([this.#asked.catch(() => null), timeUp]);
    clearTimeout(timer);
    this.#answer = { isCurrent, until: performance.now() + GOOD_FOR_MS };
    return isCurrent;
  }
}
