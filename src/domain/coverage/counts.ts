import type { Schema } from "../../../db/schema.ts";
import { DAY } from "../../platform/clock.ts";

export type PageRow = Schema["coveragePages"]["$inferSelect"];
type HostRow = Schema["coverageHosts"]["$inferSelect"];

/** Something that is said of a page: that it is one, or a verdict. */
export interface Said {
  readonly url: string;
  readonly urlHash: number;
  readonly verdict: { readonly result: string; readonly reason: string | null } | null;
  /** Service time at which its link was sent. */
  readonly sentAt: number | null;
}

/** The counts of a host while they change. */
export class HostCounts {
  readonly host: string;
  #pages: number;
  #inGoogle: number;
  #notInGoogle: number;
  #asOf: number;
  readonly #reasons: Map<string, number>;
  readonly #found: Map<string, number>;

  constructor(host: string, row: HostRow | null) {
    this.host = host;
    this.#pages = row?.pages ?? 0;
    this.#inGoogle = row?.inGoogle ?? 0;
    this.#notInGoogle = row?.notInGoogle ?? 0;
    this.#asOf = row?.asOf ?? 0;
    this.#reasons = mapIn(row?.reasons);
    this.#found = mapIn(row?.found);
  }

  /** Counts what is said of one of its pages. @param before the page until now; null: it is new @returns the page from now on */
  count(before: PageRow | null, { urlHash, verdict, sentAt }: Said, accountId: string, at: number): PageRow {
    const page = before ?? { accountId, urlHash, verdict: "unknown", reason: null, at: 0, wasFound: 0 };
    if (!before) this.#pages += 1;
    if (!before || verdict) this.#asOf = Math.max(this.#asOf, at);
    if (!verdict || at < page.at) return page;
    this.#add(page, -1);
    const isFound = verdict.result === "indexed";
    if (isFound && page.wasFound === 0 && sentAt !== null) add(this.#found, String(tenths(at - sentAt)), 1);
    const after = { ...page, verdict: verdict.result, reason: reasonOf(page, verdict), at };
    this.#add(after, 1);
    return isFound ? { ...after, wasFound: 1 } : after;
  }

  /** The row as it is now, and the one of its day. */
  rows(accountId: string): { host: HostRow; day: Schema["coverageDays"]["$inferSelect"] } {
    const counts = { pages: this.#pages, inGoogle: this.#inGoogle, notInGoogle: this.#notInGoogle };
    const key = { accountId, host: this.host };
    const said = { reasons: textOf(this.#reasons), found: textOf(this.#found), asOf: this.#asOf };
    return { host: { ...key, ...counts, ...said }, day: { ...key, ...counts, day: Math.floor(this.#asOf / DAY) } };
  }

  #add({ verdict, reason }: PageRow, one: 1 | -1): void {
    if (verdict === "indexed") this.#inGoogle += one;
    if (verdict !== "not_indexed") return;
    this.#notInGoogle += one;
    add(this.#reasons, reason ?? NO_MATCH, one);
  }
}

const NO_MATCH = "no_match";

/** A page that no search finds any more was dropped, if one has found it before. */
function reasonOf({ wasFound }: PageRow, { result, reason }: NonNullable<Said["verdict"]>): string | null {
  if (result !== "not_indexed") return null;
  return reason === null || reason === NO_MATCH ? (wasFound === 1 ? "dropped" : NO_MATCH) : reason;
}

function tenths(ms: number): number {
  return Math.round((10 * Math.max(0, ms)) / DAY);
}

function add(counts: Map<string, number>, name: string, one: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + one;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}

function mapIn(text = "{}"): Map<string, number> {
  return new Map(Object.entries(JSON.parse(text) as Record<string, number>));
}

function textOf(counts: ReadonlyMap<string, number>): string {
  return JSON.stringify(Object.fromEntries(counts));
}
