import { eachLimit } from "../../platform/concurrency.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import { within } from "../../platform/time-limit.ts";
import { type CrawlerName, crawlerNamed } from "./crawlers.ts";
import type { Ranges } from "./ranges.ts";

/** How it is known that a crawler was who it said it was; `no`: it only says so. */
export const VERIFICATIONS = ["range", "dns", "no"] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/** What can be said of an address without asking anybody; `ask`: its name may prove it. */
export function verificationIn(ranges: Ranges, name: CrawlerName, address: string | null): "range" | "no" | "ask" {
  if (address === null) return "no";
  const crawler = crawlerNamed(name);
  if (crawler.ranges.some((file) => ranges(file, address))) return "range";
  return crawler.domains.length > 0 ? "ask" : "no";
}

/** An address whose name is asked for, and the domains that it would have to be in. */
export interface Question {
  readonly address: string;
  readonly domains: readonly string[];
}

/** Most addresses that are asked about for one log, how many at once, and how long all of it may take. */
export const MOST_QUESTIONS = 200;
const AT_ONCE = 10;
const TIME_MS = 4_000;
/** Most answers that are kept, and for how long. */
const MOST_KNOWN = 10_000;
const KEPT_MS = 60 * 60 * 1_000;

/** The answers of each client, in memory only: no address is stored. */
const known = new WeakMap<object, Map<string, { readonly is: boolean; readonly until: number }>>();

/**
 * Whether each address has a name in its domains that leads back to it. What is not known when the time is over counts as no.
 * @param now real time
 */
export async function askNames(
  http: Pick<HttpClient, "hasNameIn">,
  questions: readonly Question[],
  now: number,
): Promise<boolean[]> {
  const answers = known.get(http) ?? new Map<string, { is: boolean; until: number }>();
  known.set(http, answers);
  const end = performance.now() + TIME_MS;
  const ask = async ({ address, domains }: Question) => {
    const key = `${address} ${domains.join(" ")}`;
    const earlier = answers.get(key);
    if (earlier && earlier.until > now) return earlier.is;
    const left = end - performance.now();
    const is = left > 0 ? await within(http.hasNameIn(address, domains), left) : null;
    // Without an answer, it is asked again the next time.
    if (is === null) return false;
    if (answers.size >= MOST_KNOWN) answers.clear();
    answers.set(key, { is, until: now + KEPT_MS });
    return is;
  };
  const found: boolean[] = [];
  await eachLimit([...questions.entries()], AT_ONCE, async ([index, question]) => {
    found[index] = await ask(question);
  });
  return found;
}
