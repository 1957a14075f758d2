import { setTimeout as sleep } from "node:timers/promises";
import type { ChaosAccount } from "./account.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** One submission with its Idempotency-Key, and its outcome. */
export interface Submission {
  /** Name of the project, which is also its Idempotency-Key. */
  readonly name: string;
  readonly accountId: string;
  readonly urls: number;
  /** Body of the 201 response; null: refused for lack of credits; undefined: unknown. */
  answer?: string | null;
}

/** How long a client waits for a response before it retries. */
const RESPONSE_TIMEOUT_MS = 8_000;

/** Counts of calls by outcome. */
export interface Tally {
  calls: number;
  unavailable: number;
  /** Refused or broken connections. */
  lost: number;
  /** No response in time. */
  silent: number;
  repeated: number;
}

/** A client that submits until it is stopped, and retries each request at random nodes until it is answered. */
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
    context: { accounts: readonly ChaosAccount[]; addresses: readonly string[]; tally: Tally; surprises: string[] },
  ) {
    this.#random = random;
    this.#label = label;
    this.#accounts = context.accounts;
    this.#addresses = context.addresses;
    this.#tally = context.tally;
    this.#surprises = context.surprises;
  }

  async run(isOver: () => boolean): Promise<void> {
    for (let number = 0; !isOver(); number++) {
      // Half of all submissions are for the first account, so that it is contended.
      const account = this.#random.next() < 0.5 ? this.#accounts[0]! : this.#random.pick(this.#accounts);
      await this.#submit(account, `${this.#label}-${number}`, isOver);
      await sleep(this.#random.between(0, 120));
    }
  }

  async #submit(account: ChaosAccount, name: string, isOver: () => boolean): Promise<void> {
    // Some are large enough for the thread for bulk calls.
    const urls = this.#random.next() < 0.04 ? 1_100 : this.#random.between(1, 40);
    const isCheck = this.#random.next() < 0.15;
    const wanted: Submission = { name, accountId: account.id, urls };
    this.wanted.push(wanted);
    const key = this.#random.pick(account.keys);
    const list = Array.from({ length: urls }, (_, i) => `https://example.com/${name}/${i}`);
    const mode = this.#random.next() < 0.2 ? "instant" : "standard";
    const body = JSON.stringify(isCheck ? { urls: list, name } : { urls: list, name, mode });
    const ask = () => this.#ask(isCheck ? "/checks" : "/projects", key, name, body);
    // If the first call died with its process, retries are refused for minutes; its outcome is checked at the end.
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

  /** @returns undefined without a response */
  async #ask(path: string, key: string, name: string, body: string) {
    const address = this.#random.pick(this.#addresses);
    this.#tally.calls++;
    try {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": name };
      const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
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
