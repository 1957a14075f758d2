import type { AffectedAccounts, CommitBeside } from "../engine.ts";
import type { AccountVersions } from "./account-versions.ts";

/** A transaction of another connection of this process, from before it begins. */
interface Beside {
  readonly affected: AffectedAccounts;
  /** Whether it has said that it is over, and a commit was seen then. */
  readonly isCommitted: boolean;
}

/** For how long no commit of another process was seen where a process is said to be alone: longer than limits of a minute need. */
const ALONE_MS = 2 * 60_000;

/**
 * Finds the commits of other connections. SQLite says that there were some, and not whose, so that all answers in memory are
 * old after each; except those of another connection of this process, which says what it has changed.
 */
export class CommitsOfOthers {
  readonly #dataVersion: () => number;
  readonly #versions: AccountVersions;
  readonly #onSeen: () => void;
  readonly #now: () => number;
  /** When there was last a commit that may be another process's; at first, when this one began to look. */
  #othersAt: number;
  /** `PRAGMA data_version`: it changes by commits of other connections only. */
  #seen: number;
  /** Whether it was asked for in this turn of the event loop. */
  #isAsked = false;
  #beside: Beside | null = null;

  /**
   * @param onSeen called when a commit was seen, before it is counted: whoever reads then must see it, too
   * @param now in ms, from any moment on
   */
  constructor(dataVersion: () => number, versions: AccountVersions, onSeen: () => void, now = () => performance.now()) {
    this.#dataVersion = dataVersion;
    this.#versions = versions;
    this.#onSeen = onSeen;
    this.#now = now;
    this.#othersAt = now();
    this.#seen = dataVersion();
  }

  /** Engine.version: while it is in doubt whose data has changed, the one from before. */
  latest(): number {
    this.#isInDoubt();
    return this.#versions.latest;
  }

  /** Engine.versionOf: while it is in doubt, later than any. */
  of(accountId: string): number {
    return this.#isInDoubt() ? Number.POSITIVE_INFINITY : this.#versions.of(accountId);
  }

  /** Engine.isAlone */
  isAlone(): boolean {
    if (this.#beside && this.#isInDoubt()) return false;
    // A timer asks this, and not a request: the requests of this turn still have to ask SQLite themselves.
    if (!this.#beside) this.#count(null);
    return this.#now() - this.#othersAt >= ALONE_MS;
  }

  /** Engine.besideCommit */
  beside(): CommitBeside {
    // What was committed until now is not that connection's.
    this.#count(null);
    this.#beside = { affected: null, isCommitted: false };
    return {
      committed: (affected) => {
        const now = this.#dataVersion();
        this.#beside = { affected, isCommitted: now !== this.#seen };
        this.#seen = now;
        this.#onSeen();
      },
      over: (isAlone) => {
        const { affected, isCommitted } = this.#beside!;
        this.#beside = null;
        if (isCommitted) this.#changed(isAlone ? affected : null);
        this.#count(null);
      },
    };
  }

  #isInDoubt(): boolean {
    if (this.#beside) return this.#beside.isCommitted || this.#dataVersion() !== this.#seen;
    if (!this.#isAsked) this.#askOncePerTurn();
    return false;
  }

  /**
   * Asks SQLite, and not again in this turn of the event loop: it takes longer than all else that a request from memory asks for.
   * A request that is read in this turn had reached this machine before the turn began to read. What another process commits
   * during the turn is committed while that request is under way, and may as well come after it.
   */
  #askOncePerTurn(): void {
    this.#count(null);
    this.#isAsked = true;
    setImmediate(() => {
      this.#isAsked = false;
    });
  }

  /** Counts the commits that were not seen yet, if there are any. */
  #count(affected: AffectedAccounts): void {
    const now = this.#dataVersion();
    if (now === this.#seen) return;
    this.#seen = now;
    this.#onSeen();
    this.#changed(affected);
  }

  #changed(affected: AffectedAccounts): void {
    if (affected === null) this.#othersAt = this.#now();
    if (affected === null || affected.size > 0) this.#versions.count(affected);
  }
}
