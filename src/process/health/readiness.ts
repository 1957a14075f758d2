import type { Engine } from "../../../db/engine.ts";
import type { SchemaState } from "../../../db/known-migrations.ts";
import { SECOND } from "../../platform/clock.ts";
import { version } from "../../platform/version.ts";

/** How long the database may take to answer, in ms. */
const TIMEOUT_MS = 2 * SECOND;
/** How long the database's answer is cached, in ms. */
const CACHE_MS = 500;

export interface Readiness {
  readonly ready: boolean;
  readonly checks: {
    readonly process: "ok" | "stopping";
    /** `refuses`: it answers, and what is written fails, as on a full disk. */
    readonly database: "ok" | "no_answer" | "refuses";
    /** `differs`: another version of this program has brought the database to a schema of its own. */
    readonly schema: "ok" | "differs" | "unknown";
  };
  /** Version of this program. */
  readonly version: string;
  /** The schema of this program, the one that the database has, and the version that made it so. Null without an answer. */
  readonly schema: { readonly needed: number; readonly found: number; readonly found_version: string | null } | null;
}

/** Tells whether a load balancer should send callers to this process. */
export class ReadinessProbe {
  readonly #db: Pick<Engine, "schema">;
  readonly #timeoutMs: number;
  readonly #isRefusing: () => boolean;
  #stopping = false;
  /** The query under way. A database that hangs is asked once, and not once for each caller. */
  #pending: Promise<SchemaState> | null = null;
  #answer: { readonly found: SchemaState | null; readonly until: number } | null = null;

  /** @param isRefusing whether the database has just refused to write */
  constructor(
    db: Pick<Engine, "schema">,
    { timeoutMs = TIMEOUT_MS, isRefusing = () => false }: { timeoutMs?: number; isRefusing?: () => boolean } = {},
  ) {
    this.#db = db;
    this.#isRefusing = isRefusing;
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
    const found = await this.#schema();
    const checks = {
      process: this.#stopping ? "stopping" : "ok",
      database: found === null ? "no_answer" : this.#isRefusing() ? "refuses" : "ok",
      schema: found === null ? "unknown" : found.age === "newest" ? "ok" : "differs",
    } as const;
    return {
      ready: Object.values(checks).every((state) => state === "ok"),
      checks,
      version,
      schema: found && { needed: found.needed, found: found.number, found_version: found.version },
    };
  }

  /** Null if the database did not answer in time. */
  async #schema(): Promise<SchemaState | null> {
    if (this.#answer && this.#answer.until > performance.now()) return this.#answer.found;
    this.#pending ??= this.#db.schema().finally(() => {
      this.#pending = null;
    });
    let timer: NodeJS.Timeout | undefined;
    const timeUp = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, this.#timeoutMs, null);
    });
    const found = await Promise.race([this.#pending.catch(() => null), timeUp]);
    clearTimeout(timer);
    this.#answer = { found, until: performance.now() + CACHE_MS };
    return found;
  }
}
