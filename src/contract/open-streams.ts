import type { Engine } from "../../db/engine.ts";
import { accessByHashes } from "../domain/credentials/access.ts";
import { hashOfPresented, type PresentedCredentials } from "../domain/credentials/identify.ts";
import { endOf } from "../domain/credentials/may-act.ts";
import type { Resource } from "../domain/credentials/resources.ts";
import type { Clock } from "../platform/clock.ts";
import type { Scope } from "../platform/principal.ts";
import { type RunEvery, runEvery } from "../platform/run-every.ts";

/** How often credentials are looked up, in ms: a stream ends within a second of the end of its access, at any process. */
const CHECK_MS = 500;

interface OpenStreamsDeps {
  readonly db: Engine;
  readonly clock: Clock;
  readonly log: { error(fields: object, message: string): void };
  /** Replaces the timer, in tests. */
  readonly every?: RunEvery | undefined;
}

/** Who listens to a stream, and what for. */
interface StreamCaller extends PresentedCredentials {
  readonly resource: Resource;
  /** The scopes by which its caller sees what the stream tells. */
  readonly scopes: readonly Scope[];
}

interface OpenStream extends Pick<StreamCaller, "resource" | "scopes"> {
  readonly hash: string;
  readonly end: () => void;
}

/**
 * Ends the streams of this process whose caller may not hear them any more. The credentials of all streams are looked up by two
 * queries, and none while no stream is open.
 */
export class OpenStreams {
  readonly #deps: OpenStreamsDeps;
  readonly #open = new Set<OpenStream>();
  #stop: (() => void) | null = null;
  #isChecking = false;
  #hasFailed = false;

  constructor(deps: OpenStreamsDeps) {
    this.#deps = deps;
  }

  /**
   * @param end called when the caller may not hear it any more
   * @returns a function to call when the stream has ended
   */
  add({ resource, scopes, ...credentials }: StreamCaller, end: () => void): () => void {
    const hash = hashOfPresented(credentials);
    if (hash === null) return () => undefined;
    const stream = { hash, resource, scopes, end };
    this.#open.add(stream);
    this.#stop ??= (this.#deps.every ?? runEvery)(CHECK_MS, () => this.#check());
    return () => this.#remove(stream);
  }

  #remove(stream: OpenStream): void {
    this.#open.delete(stream);
    if (this.#open.size > 0) return;
    this.#stop?.();
    this.#stop = null;
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const { db, clock, log } = this.#deps;
    try {
      const streams = [...this.#open];
      const known = await accessByHashes(db, [...new Set(streams.map(({ hash }) => hash))]);
      const now = clock.now();
      for (const { hash, end, ...act } of streams) if (endOf(known.get(hash) ?? null, { ...act, now }) !== null) end();
      this.#hasFailed = false;
    } catch (err) {
      // Logged once for each outage.
      if (!this.#hasFailed) log.error({ err }, "the credentials of open streams could not be read; trying again");
      this.#hasFailed = true;
    } finally {
      this.#isChecking = false;
    }
  }
}
