/** Most accounts whose latest change is known. */
const MOST_ACCOUNTS = 100_000;

/** Which commit was the latest to change data of an account, by the numbers of commits that may have changed any. */
export class AccountVersions {
  /** Number of the latest commit. */
  #latest = 0;
  /** The latest commit of which it is not known whose data it has changed. */
  #ofAny = 0;
  /** The latest commit that has changed data of an account; those at or before `#ofAny` are not kept. */
  readonly #of = new Map<string, number>();

  get latest(): number {
    return this.#latest;
  }

  /** Number of the latest commit that may have changed data of the account. */
  of(accountId: string): number {
    return this.#of.get(accountId) ?? this.#ofAny;
  }

  /** Counts a commit. @param accounts whose data it changes; null: anybody's */
  count(accounts: ReadonlySet<string> | null): void {
    this.#latest++;
    if (accounts === null || this.#of.size + accounts.size > MOST_ACCOUNTS) {
      this.#ofAny = this.#latest;
      this.#of.clear();
    } else for (const account of accounts) this.#of.set(account, this.#latest);
  }
}
