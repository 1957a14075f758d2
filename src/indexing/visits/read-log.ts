import { createHash } from "node:crypto";
import type { Reader } from "../../../db/engine.ts";
import { submittedOf } from "../../domain/projects/submitted.ts";
import { DAY } from "../../platform/clock.ts";
import { DecompressFailure, decompress } from "../../platform/decompress.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import { Slices } from "../../platform/slices.ts";
import { normaliseUrl } from "../../platform/urls/urls.ts";
import { type CrawlerName, crawlerIn, crawlerNamed } from "./crawlers.ts";
import { entryIn, type LogEntry } from "./log-formats.ts";
import { type Ranges, rangesOf } from "./ranges.ts";
import { RecordSplitter } from "./records.ts";
import { askNames, MOST_QUESTIONS, type Question, verificationIn } from "./verify.ts";
import { type PageVisits, VISITS_KEPT } from "./visits.ts";

/** What a log tells of the pages of one host. */
export interface LogReading {
  readonly lines: number;
  readonly unreadable: number;
  readonly otherHosts: number;
  /** Of links of the account. */
  readonly visits: readonly PageVisits[];
  /** SHA-256 of the unpacked log. */
  readonly digest: string;
}

/** Why a log cannot be read: it becomes too large, or its compression is broken. */
export class UnreadableLog extends Error {
  readonly problem: "too_large" | "corrupt";

  constructor(problem: UnreadableLog["problem"]) {
    super(problem);
    this.problem = problem;
  }
}

interface LogSource {
  /** As sent: plain, or packed by gzip. */
  readonly body: Uint8Array;
  /** Most bytes of it unpacked. */
  readonly maxBytes: number;
  /** Of the site, in the form of stored URLs. */
  readonly host: string;
  readonly accountId: string;
  /** Real time. */
  readonly now: number;
  /** No visit is later: the later one of real and service time. */
  readonly latest: number;
  readonly signal?: AbortSignal | undefined;
}

type Site = Omit<LogSource, "body" | "maxBytes" | "signal">;

/** Visits that are kept in memory until it is known which of them are to links. */
const WINDOW = 20_000;
const CHUNK = 64 * 1024;

/**
 * Reads a log as it comes out of its compression, and asks about addresses at the end. Memory grows with the visits to links of
 * the account, not with the log.
 * @throws UnreadableLog
 */
export async function readLog(
  { db, http }: { db: Reader; http: Pick<HttpClient, "hasNameIn"> },
  { body, maxBytes, signal, ...source }: LogSource,
): Promise<LogReading> {
  const reader = new LogReader(db, source, await rangesOf(db));
  const splitter = new RecordSplitter((record) => reader.take(record));
  const hash = createHash("sha256");
  const slices = new Slices();
  let bytes = 0;
  try {
    for await (const chunk of unpacked(body)) {
      signal?.throwIfAborted();
      bytes += chunk.length;
      if (bytes > maxBytes) throw new UnreadableLog("too_large");
      hash.update(chunk);
      splitter.write(chunk);
      if (reader.isFull) await reader.settle(() => slices.next());
      if (slices.isOver()) await slices.next();
    }
  } catch (thrown) {
    throw thrown instanceof DecompressFailure ? new UnreadableLog("corrupt") : thrown;
  }
  splitter.end();
  await reader.settle(() => slices.next());
  return { ...reader.counts, visits: await reader.verified(http), digest: hash.digest("hex") };
}

/** The size is what bounds a log: its lines may well be a thousand times the same. */
const ANY_RATIO = { ratio: Number.POSITIVE_INFINITY, ratioFrom: 0 };

async function* unpacked(body: Uint8Array): AsyncGenerator<Buffer> {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  if (isGzip) yield* decompress(chunksOf(body), "gzip", ANY_RATIO);
  else yield* chunksOf(body);
}

async function* chunksOf({ buffer, byteOffset, byteLength }: Uint8Array): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  for (let from = 0; from < bytes.length; from += CHUNK) yield bytes.subarray(from, from + CHUNK);
}

type Sighting = Omit<PageVisits, "verified"> & { readonly address: string | null };

class LogReader {
  readonly #db: Reader;
  readonly #source: Site;
  readonly #verificationOf: (name: CrawlerName, address: string | null) => "range" | "no" | "ask";
  readonly counts = { lines: 0, unreadable: 0, otherHosts: 0 };
  /** Not yet known to be of links. */
  #window = new Map<string, Sighting>();
  /** Of links, by what is known of their addresses. */
  readonly #settled = new Map<string, PageVisits>();
  readonly #asked = new Map<string, { readonly question: Question; readonly visits: Map<string, PageVisits> }>();
  /** Ids of records that were counted: services send some of them twice. */
  readonly #ids = new Set<string>();

  constructor(db: Reader, source: Site, ranges: Ranges) {
    this.#db = db;
    this.#source = source;
    const known = new Map<string, "range" | "no" | "ask">();
    this.#verificationOf = (name, address) => {
      const key = `${name} ${address}`;
      const verification = known.get(key) ?? verificationIn(ranges, name, address);
      if (known.size >= WINDOW) known.clear();
      known.set(key, verification);
      return verification;
    };
  }

  get isFull(): boolean {
    return this.#window.size >= WINDOW;
  }

  take(record: string | null): void {
    this.counts.lines += 1;
    const entry = record === null ? null : entryIn(record);
    if (!entry || !this.#isOfOurTime(entry)) {
      this.counts.unreadable += 1;
      return;
    }
    const host = hostIn(entry) ?? this.#source.host;
    if (host !== this.#source.host) {
      this.counts.otherHosts += 1;
      return;
    }
    const agent = crawlerIn(entry.userAgent);
    if (agent && (entry.method === "GET" || entry.method === "HEAD") && !this.#isKnown(entry)) this.#see(entry, agent);
  }

  /** A log of another century is a broken one. What would be deleted at once is not taken. */
  #isOfOurTime({ at }: LogEntry): boolean {
    return at > this.#source.now - VISITS_KEPT && at < this.#source.latest + DAY;
  }

  #isKnown({ id }: LogEntry): boolean {
    if (id === null) return false;
    if (this.#ids.has(id)) return true;
    if (this.#ids.size < WINDOW) this.#ids.add(id);
    return false;
  }

  #see({ target, address, at, status }: LogEntry, agent: CrawlerName): void {
    const url = normaliseUrl(target.startsWith("/") ? `https://${this.#source.host}${target}` : target);
    if (url === null) return;
    const one = { url, agent, address, firstAt: at, lastAt: at, count: 1, status };
    // The clocks of others may be a little ahead.
    one.firstAt = one.lastAt = Math.min(at, this.#source.latest);
    add(this.#window, `${agent} ${address} ${url}`, one);
  }

  /** Keeps of the window what is about links. A log does not say by which scheme a page was read. */
  async settle(pause: () => Promise<unknown>): Promise<void> {
    const window = [...this.#window.values()];
    this.#window = new Map();
    const urls = [...new Set(window.flatMap(({ url }) => schemesOf(url)))];
    if (urls.length === 0) return;
    const links = await submittedOf(this.#db, this.#source.accountId, urls, pause);
    for (const { address, ...seen } of window)
      for (const url of schemesOf(seen.url)) if (links.has(url)) this.#keep({ ...seen, url }, address);
  }

  #keep(seen: Omit<PageVisits, "verified">, address: string | null): void {
    const key = `${seen.agent} ${seen.url}`;
    const verification = this.#verificationOf(seen.agent, address);
    const { domains } = crawlerNamed(seen.agent);
    const asked = `${address} ${domains.join(" ")}`;
    const mayAsk = this.#asked.has(asked) || this.#asked.size < MOST_QUESTIONS;
    if (verification === "ask" && mayAsk) {
      const { visits } = this.#asked.get(asked) ?? this.#ask(asked, { address: address!, domains });
      add(visits, key, { ...seen, verified: "dns" });
    } else {
      const verified = verification === "range" ? "range" : "no";
      add(this.#settled, `${key} ${verified}`, { ...seen, verified });
    }
  }

  #ask(key: string, question: Question) {
    const asked = { question, visits: new Map<string, PageVisits>() };
    this.#asked.set(key, asked);
    return asked;
  }

  async verified(http: Pick<HttpClient, "hasNameIn">): Promise<PageVisits[]> {
    const asked = [...this.#asked.values()];
    const answers = await askNames(
      http,
      asked.map(({ question }) => question),
      this.#source.now,
    );
    asked.forEach(({ visits }, index) => {
      const verified = answers[index] ? "dns" : "no";
      for (const [key, one] of visits) add(this.#settled, `${key} ${verified}`, { ...one, verified });
    });
    return [...this.#settled.values()];
  }
}

/** The host that an entry names, in the form of stored URLs; null where it names none. */
function hostIn({ host, target }: LogEntry): string | null {
  const named = /^https?:\/\/([^/?#]+)/i.exec(target)?.[1] ?? host;
  return named === null
    ? null
    : named
        .toLowerCase()
        .replace(/:(?:80|443)$/, "")
        .replace(/\.$/, "");
}

function schemesOf(url: string): string[] {
  const rest = url.slice(url.indexOf("://"));
  return [`https${rest}`, `http${rest}`];
}

/** Adds visits to the ones of the same key. */
function add<Row extends Omit<PageVisits, "verified">>(rows: Map<string, Row>, key: string, more: Row): void {
  const row = rows.get(key);
  if (!row) {
    rows.set(key, { ...more });
    return;
  }
  row.count += more.count;
  row.firstAt = Math.min(row.firstAt, more.firstAt);
  if (more.lastAt < row.lastAt) return;
  row.lastAt = more.lastAt;
  row.status = more.status;
}
