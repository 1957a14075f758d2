import type { Engine } from "../../db/engine.ts";
import type { PresentedCredentials } from "../domain/credentials/identify.ts";
import { credentialHash, validHashes } from "../domain/credentials/valid-credentials.ts";
import type { Clock } from "../platform/clock.ts";
import { type RunEvery, runEvery } from "../platform/run-every.ts";

/** How often credentials are looked up, in ms: a stream ends within a second of the revocation, at any process. */
const CHECK_MS = 500;

interface OpenStreamsDeps {
  readonly db: Engine;
  readonly clock: Clock;
  readonly log: { error(fields: object, message: string): void };
  /** Replaces the timer, in tests. */
  readonly every?: RunEvery | undefined;
}

/**
 * Ends the streams of this process whose credential is not valid any more: revoked, ended, or an access token that has
 * expired. The credentials of all streams are looked up by two queries, and none while no stream is open.
 */
export class OpenStreams {
  readonly #deps: OpenStreamsDeps;
  /** What ends streams, by the hash of their credential. */
  readonly #ends = new Map<string, Set<() => void>>();
  #stop: (() => void) | null = null;
  #isChecking = false;
  #hasFailed = false;

  constructor(deps: OpenStreamsDeps) {
    this.#deps = deps;
  }

  /**
   * @param end called once, when the credential is not valid any more
   * @returns a function to call when the stream has ended
   */
  add(credentials: PresentedCredentials, end: () => void): () => void {
    const hash = credentialHash(credentials);
    if (hash === null) return () => undefined;
    const ends = this.#ends.get(hash) ?? new Set();
    // Two streams may be ended by the same function.
    const own = () => end();
    this.#ends.set(hash, ends.add(own));
    this.#stop ??= (this.#deps.every ?? runEvery)(CHECK_MS, () => this.#check());
    return () => this.#remove(hash, own);
  }

  #remove(hash: string, end: () => void): void {
    const ends = this.#ends.get(hash);
    ends?.delete(end);
    if (ends?.size === 0) this.#ends.delete(hash);
    if (this.#ends.size > 0) return;
    this.#stop?.();
    this.#stop = null;
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const { db, clock, log } = this.#deps;
    try {
      const hashes = [...this.#ends.keys()];
      const valid = await validHashes(db, hashes, clock.now());
      for (const hash of hashes) if (!valid.has(hash)) for (const end of [...(this.#ends.get(hash) ?? [])]) end();
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
