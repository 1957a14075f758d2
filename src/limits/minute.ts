import { MINUTE } from "../clock.ts";
import { Refusal } from "../errors.ts";
import { LIMITS } from "./table.ts";

type MinuteLimit = "requests_per_minute" | "anonymous_requests_per_minute";

/** Where a caller stands in its minute: the RateLimit fields of draft-ietf-httpapi-ratelimit-headers-07. */
export interface Standing {
  readonly limit: number;
  readonly used: number;
  readonly resetSeconds: number;
}

/** Fixed windows of one minute, counted in this process. */
export class MinuteWindows {
  #minute = 0;
  #counts = new Map<string, number>();

  /** Counts one request of `key`, and says where it stands now. */
  take(name: MinuteLimit, key: string, now: number): Standing {
    const minute = Math.floor(now / MINUTE);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#counts = new Map();
    }
    const used = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, used);
    return { limit: LIMITS[name].count, used, resetSeconds: Math.ceil(((minute + 1) * MINUTE - now) / 1000) };
  }

  /** How many requests of `key` this minute has seen. */
  used(key: string, now: number): number {
    return Math.floor(now / MINUTE) === this.#minute ? (this.#counts.get(key) ?? 0) : 0;
  }
}

export function rateHeaders({ limit, used, resetSeconds }: Standing): Record<string, string> {
  return {
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(Math.max(0, limit - used)),
    "RateLimit-Reset": String(resetSeconds),
    "RateLimit-Policy": `${limit};w=60`,
  };
}

export function refuseOver(name: MinuteLimit, standing: Standing): void {
  if (standing.used <= standing.limit) return;
  throw new Refusal(
    "rate_limited",
    `${LIMITS[name].sentence} Try again in ${standing.resetSeconds} s.`,
    {},
    {
      ...rateHeaders(standing),
      "Retry-After": String(standing.resetSeconds),
    },
  );
}
