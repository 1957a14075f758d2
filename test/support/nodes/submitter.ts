import { setTimeout as sleep } from "node:timers/promises";
import type { ChaosAccount } from "./account.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** One project that somebody wanted, under one Idempotency-Key, and what became of it. */
export interface Submission {
  /** Its name, and its Idempotency-Key. */
  readonly name: string;
  readonly accountId: string;
  readonly urls: number;
  /** The answer that made it; null where it was refused for want of credits; undefined where nobody knows. */
  answer?: string | null;
}

/** How long a client waits for an answer before it asks again. */
const PATIENCE_MS = 8_000;

/** How the calls went. */
export interface Tally {
  calls: number;
  unavailable: number;
  /** Refused or broken connections. */
  lost: number;
  /** No answer in time. */
  silent: number;
  repeated: number;
}

/** A client that submits until it is told to stop: each request until it is answered, at whichever node answers. */
export class Submitter {
  readonly wanted: Submission[] = [];
  readonly #random: SeededRandom;
  readonly #label: string;
  readonly #accounts: readonly ChaosAccount[];
  readonly #addresses: readonly string[];
  readonly #tally: Tally;
  readonly #surprises: string[];

  constructor(
    random: SeededRandom,
    label: string,
    place: { accounts: readonly ChaosAccount[]; addresses: readonly string[]; tally: Tally; surprises: string[] },
  ) {
    this.#random = random;
    this.#label = label;
    this.#accounts = place.accounts;
    this.#addresses = place.addresses;
    this.#tally = place.tally;
    this.#surprises = place.surprises;
  }

  async run(isOver: () => boolean): Promise<void> {
    for (let number = 0; !isOver(); number++) {
      // The first is hot: every second submission is its.
      const account = this.#random.next() < 0.5 ? this.#accounts[0]! : this.#random.pick(this.#accounts);
      await this.#submit(account, `${this.#label}-${number}`, isOver);
      await sleep(this.#random.between(0, 120));
    }
  }

  async #submit(account: ChaosAccount, name: string, isOver: () => boolean): Promise<void> {
    // Some go by the thread for large calls.
    const urls = this.#random.next() < 0.04 ? 1_100 : this.#random.between(1, 40);
    const isCheck = this.#random.next() < 0.15;
    const wanted: Submission = { name, accountId: account.id, urls };
    this.wanted.push(wanted);
    const key = this.#random.pick(account.keys);
    const list = Array.from({ length: urls }, (_, i) => `https://example.com/${name}/${i}`);
    const mode = this.#random.next() < 0.2 ? "instant" : "standard";
    const body = JSON.stringify(isCheck ? { urls: list, name } : { urls: list, name, mode });
    const ask = () => this.#ask(isCheck ? "/checks" : "/projects", key, name, body);
    // One whose first call died with its process is refused for minutes: what became of it is seen at the end.
    for (let left = 16; left > 0; left -= isOver() ? 4 : 1) {
      const answer = await ask();
      if (answer?.status === 201) wanted.answer = answer.text;
      if (answer?.status === 402) wanted.answer = null;
      if (wanted.answer !== undefined) break;
      await sleep(this.#random.between(100, 400));
    }
    if (typeof wanted.answer !== "string" || this.#random.next() > 0.3) return;
    const again = await ask();
    if (again?.status !== 201) return;
    this.#tally.repeated++;
    if (again.text !== wanted.answer)
      this.#surprises.push(`${name} was answered twice: ${wanted.answer}, ${again.text}`);
  }

  /** Undefined where no answer came. */
  async #ask(path: string, key: string, name: string, body: string) {
    const address = this.#random.pick(this.#addresses);
    this.#tally.calls++;
    try {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": name };
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await fetch(`${address}/api/v1${path}`, { method: "POST", headers, body, signal });
      const text = await response.text();
      const { status } = response;
      if (status === 503) this.#tally.unavailable++;
      if (![201, 402, 409, 429, 503].includes(status)) this.#surprises.push(`${name}: ${status} ${text}`);
      return { status, text };
    } catch (thrown) {
      this.#tally[(thrown as Error).name === "TimeoutError" ? "silent" : "lost"]++;
      return undefined;
    }
  }
}
