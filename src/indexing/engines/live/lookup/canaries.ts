import { randomUUID } from "node:crypto";
import { type Clock, SECOND } from "../../../../platform/clock.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import type { IndexLookup, LookupResult } from "../lookup.ts";

/** How long a result is valid, in service ms. */
const VALID_MS = 60 * SECOND;

/**
 * Checks whether a lookup can be trusted now: it must find pages that are certainly in Google's index, and must not
 * find one that cannot be there. A provider that no longer understands Google's markup finds nothing or everything,
 * in answers that look normal.
 */
export class Canaries {
  readonly #urls: readonly string[];
  readonly #clock: Clock;
  readonly #results = new Map<string, CanaryResult>();

  /** @param urls pages that are certainly in Google's index */
  constructor(urls: readonly string[], clock: Clock) {
    this.#urls = urls;
    this.#clock = clock;
  }

  /**
   * @param ask looks one URL up with this lookup; the caller charges the quota
   * @returns true also for a lookup that needs no canaries. Never throws
   */
  async check(lookup: IndexLookup, ask: (url: string) => Promise<LookupResult>): Promise<boolean> {
    if (!lookup.needsCanaries) return true;
    let result = this.#results.get(lookup.name);
    if (!result || (result.at !== null && this.#clock.service() - result.at >= VALID_MS)) {
      result = { at: null, reason: null, done: Promise.resolve() };
      this.#results.set(lookup.name, result);
      result.done = this.#run(result, ask);
    }
    await result.done;
    return result.reason === null;
  }

  /**
   * Why the last canaries of this lookup failed, e.g. `known_page_not_found` or the kind of failure. Null if they
   * passed, or never ran.
   */
  reasonOf(name: string): string | null {
    return this.#results.get(name)?.reason ?? null;
  }

  async #run(result: CanaryResult, ask: (url: string) => Promise<LookupResult>): Promise<void> {
    result.reason = await reasonFor(this.#urls, ask).catch(kindOf);
    result.at = this.#clock.service();
  }
}

/** One run. Until `done` resolves, `at` is null and `reason` is not set. */
interface CanaryResult {
  at: number | null;
  reason: string | null;
  done: Promise<void>;
}

/**
 * Why the lookup cannot be trusted, or null. The absent page needs a clear negative, because a lookup that never
 * answers no proves nothing.
 */
async function reasonFor(urls: readonly string[], ask: (url: string) => Promise<LookupResult>): Promise<string | null> {
  const [absent, ...known] = await Promise.all([absentPage(), ...urls].map((url) => ask(url)));
  const answers = known.map(({ result }) => result).filter((result) => result !== "unknown");
  if (answers.includes("not_indexed")) return "known_page_not_found";
  if (answers.length === 0) return "no_known_page_answered";
  return absent!.result === "not_indexed" ? null : "absent_page_not_absent";
}

/**
 * The address of a page that does not exist. It is new each time, so that no index and no cache has it. Its host is
 * reserved (RFC 2606).
 */
function absentPage(): string {
  return `https://www.example.com/${randomUUID()}`;
}

function kindOf(thrown: unknown): string {
  return thrown instanceof UpstreamFailure ? thrown.kind : "internal";
}
