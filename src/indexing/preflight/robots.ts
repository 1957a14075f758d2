import { gunzipSync, constants as zlib } from "node:zlib";
import { type Clock, HOUR, MINUTE, SECOND } from "../../platform/clock.ts";
import { SingleFlight } from "../../platform/concurrency.ts";
import { contentTypeOf } from "../../platform/http-client/content-type.ts";
import { FetchFailure, type HttpClient } from "../../platform/http-client/http-client.ts";
import { Lru } from "../../platform/lru.ts";
import { bytesOf } from "./body.ts";
import { decodeText } from "./encoding.ts";
import type { HostThrottle } from "./host-throttle.ts";
import { type RobotsRules, robotsRules } from "./robots-rules.ts";

export interface RobotsAnswer {
  readonly rules: RobotsRules;
  /** False if the file could not be read. Everything counts as allowed then. */
  readonly isReached: boolean;
}

/** Google reads 500 KiB and ignores the rest. */
const MAX_BYTES = 500 * 1024;
const TTL_MS = HOUR;
/** Shorter than `TTL_MS`, because a server that is down may be up soon. */
const UNREACHED_TTL_MS = 5 * MINUTE;
const TIMEOUT_MS = 10 * SECOND;

const ALLOWED: RobotsAnswer = { rules: robotsRules(""), isReached: true };
const UNREACHED: RobotsAnswer = { ...ALLOWED, isReached: false };

/** Caches the robots.txt of origins. Each is fetched at most once an hour. */
export class Robots {
  readonly #http: HttpClient;
  readonly #throttle: HostThrottle;
  /**
   * The answers by origin. The cache is bounded by the size of the files, because rules keep their file's text in
   * memory.
   */
  readonly #cache: Lru<RobotsAnswer>;
  readonly #fetches = new SingleFlight<RobotsAnswer>();

  constructor(http: HttpClient, throttle: HostThrottle, clock: Clock) {
    this.#http = http;
    this.#throttle = throttle;
    this.#cache = new Lru(clock, { entries: 5_000, weight: 8_000_000 });
  }

  async of({ origin, hostname }: URL): Promise<RobotsAnswer> {
    const known = this.#cache.get(origin);
    return known ?? this.#fetches.run(origin, () => this.#throttle.run(hostname, () => this.#fetch(origin)));
  }

  async #fetch(origin: string): Promise<RobotsAnswer> {
    const { answer, weight } = await this.#read(`${origin}/robots.txt`);
    this.#cache.set(origin, answer, answer.isReached ? TTL_MS : UNREACHED_TTL_MS, weight + 100 * answer.rules.size);
    return answer;
  }

  /** Follows Google: a client error other than 429, or too many redirects, means that there is no robots.txt. */
  async #read(url: string): Promise<{ answer: RobotsAnswer; weight: number }> {
    try {
      const response = await this.#http.fetchPublic(url, {
        accept: "text/plain,*/*;q=0.5",
        timeMs: TIMEOUT_MS,
        maxWireBytes: 2 * MAX_BYTES,
        maxBytes: 2 * MAX_BYTES,
      });
      if (response.status > 299) {
        response.discard();
        const isAbsent = response.status < 500 && response.status !== 429;
        return { answer: isAbsent ? ALLOWED : UNREACHED, weight: 0 };
      }
      const chunks: Buffer[] = [];
      for await (const chunk of bytesOf(response, MAX_BYTES)) chunks.push(chunk);
      const type = contentTypeOf(response.headerLines("content-type"));
      const text = decodeText(unzipped(Buffer.concat(chunks)), type?.charset ?? null);
      return { answer: { rules: robotsRules(text), isReached: true }, weight: text.length };
    } catch (thrown) {
      if (!(thrown instanceof FetchFailure)) throw thrown;
      return { answer: thrown.problem === "too_many_redirects" ? ALLOWED : UNREACHED, weight: 0 };
    }
  }
}

/** Undoes gzip that no header tells of, as of a stored `.gz` file. What is no gzip stays as it is. */
function unzipped(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES, finishFlush: zlib.Z_SYNC_FLUSH });
  } catch {
    return bytes;
  }
}
