import type { Engine } from "../../../db/engine.ts";
import { SECOND } from "../../platform/clock.ts";

/** How long the database may take to answer, in ms. */
const TIMEOUT_MS = 2 * SECOND;
/** How long the database's answer is cached, in ms. */
const CACHE_MS = 500;

export interface Readiness {
  readonly ready: boolean;
  readonly checks: {
    readonly process: "ok" | "stopping";
    readonly database: "ok" | "no_answer";
    /** `differs`: another version of this program has brought the database to a schema of its own. */
    readonly schema: "ok" | "differs" | "unknown";
  };
}

/** Tells whether a load balancer should send callers to this process. */
export class ReadinessProbe {
  readonly #db: Pick<Engine, "isCurrent">;
  readonly #timeoutMs: number;
  #stopping = false;
  /** The query under way. A database that hangs is asked once, and not once for each caller. */
  #pending: Promise<boolean> | null = null;
  #answer: { readonly isCurrent: boolean | null; readonly until: number } | null = null;

  constructor(db: Pick<Engine, "isCurrent">, timeoutMs = TIMEOUT_MS) {
    this.#db = db;
    this.#timeoutMs = timeoutMs;
  }

  /** Says "not ready" from now on, because the process is stopping. */
  stop(): void {
    this.#stopping = true;
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  /** Never throws. */
  async check(): Promise<Readiness> {
    const isCurrent = await this.#isCurrent();
    const checks = {
      process: this.#stopping ? "stopping" : "ok",
      database: isCurrent === null ? "no_answer" : "ok",
      schema: isCurrent === null ? "unknown" : isCurrent ? "ok" : "differs",
    } as const;
    return { ready: isCurrent === true && !this.#stopping, checks };
  }

  /** Null if the database did not answer in time. */
  async #isCurrent(): Promise<boolean | null> {
    if (this.#answer && this.#answer.until > performance.now()) return this.#answer.isCurrent;
    this.#pending ??= this.#db.isCurrent().finally(() => {
      this.#pending = null;
    });
    let timer: NodeJS.Timeout | undefined;
    const timeUp = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, this.#timeoutMs, null);
    });
    const isCurrent = await Promise.race([this.#pending.catch(() => null), timeUp]);
    clearTimeout(timer);
    this.#answer = { isCurrent, until: performance.now() + CACHE_MS };
    return isCurrent;
  }
}
