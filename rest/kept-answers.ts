import type { AnyOperation } from "../src/contract/operation.ts";
import { type Clock, DAY } from "../src/platform/clock.ts";
import { Lru } from "../src/platform/lru.ts";
import type { Principal } from "../src/platform/principal.ts";

/** An answer to a read, as it is sent. */
export interface KeptAnswer {
  readonly body: WholeBody | CountedBody;
  /** Bytes of the body, without the digits of the count. */
  readonly bytes: number;
  /** Its entity tag, if it has one. */
  readonly tag: string | undefined;
  /** The version of the database before the answer was read; undefined on PostgreSQL, which has none. */
  version: number | undefined;
}

/** A body that is always the same; its bytes, where it is long or not of ASCII alone. */
export type WholeBody = string | Buffer;

/** A body with the number of today's requests between two texts. */
export interface CountedBody {
  readonly before: string;
  readonly after: string;
}

/** Bytes of all answers together. */
const MOST_BYTES = 32_000_000;
/** Longer answers are not kept, in characters; neither are those to longer addresses. */
const LONGEST = { text: 500_000, url: 500 };
/** Bytes of an answer beside its body, roughly. */
const OVERHEAD = 400;
/** A body of so many characters is short. */
const SHORT = 16_384;

/** The latest answers to reads: those of constants for everybody, all others by caller and address, until the UTC day ends. */
export class KeptAnswers {
  readonly #clock: Clock;
  readonly #constants = new Map<string, KeptAnswer>();
  readonly #others: Lru<KeptAnswer>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#others = new Lru(clock, { entries: 50_000, weight: MOST_BYTES });
  }

  /** An answer that is the same for everybody. @param url its path; with a query there is none */
  constant(url: string): KeptAnswer | undefined {
    return this.#constants.get(url);
  }

  /** An answer to one caller. @param url path and query */
  find(caller: string, url: string): KeptAnswer | undefined {
    return this.#others.get(`${caller}${url}`);
  }

  keep(
    { beforeRequestCount }: AnyOperation,
    { caller, url }: { readonly caller: string; readonly url: string },
    { text, tag, version }: Pick<KeptAnswer, "tag" | "version"> & { readonly text: string },
  ): void {
    if (text.length > LONGEST.text || url.length > LONGEST.url) return;
    const body = beforeRequestCount ? countedBody(text, beforeRequestCount) : wholeBody(text);
    const bytes = Buffer.byteLength(isCounted(body) ? body.before + body.after : body);
    const now = this.#clock.now();
    const untilMidnight = DAY - (now % DAY);
    this.#others.set(`${caller}${url}`, { body, bytes, tag, version }, untilMidnight, text.length + OVERHEAD);
  }

  keepConstant(url: string, { text, tag }: Pick<KeptAnswer, "tag"> & { readonly text: string }): void {
    const body = wholeBody(text);
    this.#constants.set(url, { body, bytes: Buffer.byteLength(body), tag, version: undefined });
  }
}

/** The name of a caller here. Tokens of one grant may have different scopes, and get different answers. */
export function callerOf({ credential: { id, scopes } }: Principal): string {
  return `${id} ${scopes} `;
}

export function isCounted(body: KeptAnswer["body"]): body is CountedBody {
  return typeof body === "object" && "before" in body;
}

/** A short text of ASCII is sent in one piece with its headers, for less than bytes beside them. */
function wholeBody(text: string): WholeBody {
  const length = Buffer.byteLength(text);
  if (length === text.length && length <= SHORT) return text;
  // Of their own: a slice of Node's pool would keep 8 KB as long as it is kept.
  const bytes = Buffer.allocUnsafeSlow(length);
  bytes.write(text);
  return bytes;
}

/** The text cannot be part of a value, where quotes are escaped. */
function countedBody(text: string, beforeCount: string): CountedBody {
  const start = text.indexOf(beforeCount) + beforeCount.length;
  return { before: text.slice(0, start), after: text.slice(start).replace(/^\d+/, "") };
}
