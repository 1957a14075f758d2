import { type Clock, HOUR, MINUTE, SECOND } from "../../platform/clock.ts";
import { SingleFlight } from "../../platform/concurrency.ts";
import { FetchFailure, type HttpClient } from "../../platform/http-client/http-client.ts";
import { Lru } from "../../platform/lru.ts";
import { bytesOf } from "./body.ts";
import type { HostThrottle } from "./host-throttle.ts";
import { type RobotsRules, robotsRules } from "./robots-rules.ts";

export interface RobotsAnswer {
  readonly rules: RobotsRules;
  /** False: nobody knows, and all is taken as allowed. */
  readonly isReached: boolean;
}

/** Google reads 500 KiB and ignores the rest. */
const MOST_BYTES = 500 * 1024;
const KEPT = HOUR;
/** A server that is down now may be up soon. */
const KEPT_UNREACHED = 5 * MINUTE;
const TIME = 10 * SECOND;

const ALLOWED: RobotsAnswer = { rules: robotsRules(""), isReached: true };
const UNREACHED: RobotsAnswer = { ...ALLOWED, isReached: false };

/** The robots.txt of origins, each fetched once an hour, whoever asks. */
export class Robots {
  readonly #http: HttpClient;
  readonly #throttle: HostThrottle;
  /** By origin. Characters of the files bound what is kept: rules hold on to their file's text. */
  readonly #kept: Lru<RobotsAnswer>;
  readonly #fetches = new SingleFlight<RobotsAnswer>();

  constructor(http: HttpClient, throttle: HostThrottle, clock: Clock) {
    this.#http = http;
    this.#throttle = throttle;
    this.#kept = new Lru(clock, { entries: 5_000, weight: 8_000_000 });
  }

  async of({ origin, hostname }: URL): Promise<RobotsAnswer> {
    const known = this.#kept.get(origin);
    return known ?? this.#fetches.run(origin, () => this.#throttle.run(hostname, () => this.#fetch(origin)));
  }

  async #fetch(origin: string): Promise<RobotsAnswer> {
    const { answer, weight } = await this.#read(`${origin}/robots.txt`);
    this.#kept.set(origin, answer, answer.isReached ? KEPT : KEPT_UNREACHED, weight + 100 * answer.rules.size);
    return answer;
  }

  /** Google's reading: a client error means that there is none (429 apart), as does a chain of redirects too long. */
  async #read(url: string): Promise<{ answer: RobotsAnswer; weight: number }> {
    try {
      const response = await this.#http.fetchPublic(url, {
        accept: "text/plain,*/*;q=0.5",
        timeMs: TIME,
        maxWireBytes: 2 * MOST_BYTES,
        maxBytes: 2 * MOST_BYTES,
      });
      if (response.status < 200 || response.status > 299) {
        response.discard();
        const isAbsent = response.status >= 300 && response.status < 500 && response.status !== 429;
        return { answer: isAbsent ? ALLOWED : UNREACHED, weight: 0 };
      }
      const chunks: Buffer[] = [];
      for await (const chunk of bytesOf(response, MOST_BYTES)) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      return { answer: { rules: robotsRules(text), isReached: true }, weight: text.length };
    } catch (thrown) {
      if (!(thrown instanceof FetchFailure)) throw thrown;
      return { answer: thrown.problem === "too_many_redirects" ? ALLOWED : UNREACHED, weight: 0 };
    }
  }
}
