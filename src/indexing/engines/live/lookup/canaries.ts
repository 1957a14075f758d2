import { randomUUID } from "node:crypto";
import { type Clock, SECOND } from "../../../../platform/clock.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import type { IndexLookup, LookupResult } from "../lookup.ts";

/** How long a result holds, in ms of service time. */
const HOLDS = 60 * SECOND;

/**
 * Whether a looker can be believed right now: it finds pages that Google surely has, and does not find one that
 * cannot be. A provider whose markup broke shows nothing at all, or everything; its answers look sound otherwise.
 */
export class Canaries {
  readonly #urls: readonly string[];
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();

  /** @param urls pages that Google surely has */
  constructor(urls: readonly string[], clock: Clock) {
    this.#urls = urls;
    this.#clock = clock;
  }

  /**
   * @param ask looks one URL up with this looker; the caller charges its budget
   * @returns true for a looker that needs no canaries, too. Never throws
   */
  async check(looker: IndexLookup, ask: (url: string) => Promise<LookupResult>): Promise<boolean> {
    if (!looker.needsCanaries) return true;
    let kept = this.#kept.get(looker.name);
    if (!kept || (kept.at !== null && this.#clock.service() - kept.at >= HOLDS)) {
      kept = { at: null, result: null, done: Promise.resolve() };
      this.#kept.set(looker.name, kept);
      kept.done = this.#run(kept, ask);
    }
    await kept.done;
    return kept.result === null;
  }

  /**
   * Why the looker of this name did not pass the last time, e.g. `known_page_not_found`, or the kind of failure; null
   * when it did pass, or was never asked.
   */
  reasonOf(name: string): string | null {
    return this.#kept.get(name)?.result ?? null;
  }

  async #run(kept: Kept, ask: (url: string) => Promise<LookupResult>): Promise<void> {
    kept.result = await resultOf(this.#urls, ask).catch(kindOf);
    kept.at = this.#clock.service();
  }
}

/** One result; `at` is null, and `result` means nothing, until it is `done`. */
interface Kept {
  at: number | null;
  result: string | null;
  done: Promise<void>;
}

/** A clean "no" is needed for the absent page: what can say nothing but yes and "don't know" is no witness. */
async function resultOf(urls: readonly string[], ask: (url: string) => Promise<LookupResult>): Promise<string | null> {
  const [absent, ...known] = await Promise.all([absentPage(), ...urls].map((url) => ask(url)));
  const answers = known.map(({ result }) => result).filter((result) => result !== "unknown");
  if (answers.includes("not_indexed")) return "known_page_not_found";
  if (answers.length === 0) return "no_known_page_answered";
  return absent!.result === "not_indexed" ? null : "absent_page_not_absent";
}

/** Never the same twice, so that it can have come into no index and no cache. Its host is reserved (RFC 2606). */
function absentPage(): string {
  return `https://www.example.com/${randomUUID()}`;
}

function kindOf(thrown: unknown): string {
  return thrown instanceof UpstreamFailure ? thrown.kind : "internal";
}
