import type { Engine, Tx } from "../../../db/engine.ts";
import { addressKey } from "../../domain/limits/address-key.ts";
import { consumeLimitIn, refuseOverLimit, tryConsumeLimit } from "../../domain/limits/window.ts";
import { type Clock, SECOND } from "../../platform/clock.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import { SIZES } from "../../platform/sizes.ts";
import type { Verifier } from "../engines/engine.ts";
import { createPageReader } from "./reader.ts";
import type { PageReader, PageReport } from "./report.ts";

/** What can be said of a page without an account. */
export interface TriedPage {
  readonly url: string;
  /** Null: its host was asked in this minute. */
  readonly report: PageReport | null;
  /** What a lookup in Google found; null: there was none. */
  readonly google: "indexed" | "not_indexed" | "unknown" | null;
}

/** How long somebody waits for the pages, and then for Google, at most. */
const PAGES_MS = 10 * SECOND;
const LOOKUP_MS = 10 * SECOND;

/** The subject of the limit that all strangers share. */
const EVERYBODY = "everybody";

interface TrialDeps {
  readonly db: Engine;
  readonly clock: Clock;
  readonly http: HttpClient;
  /** Null: strangers are not told whether Google has a page. */
  readonly lookups: { readonly verifier: Verifier; readonly perDay: number } | null;
}

/**
 * Reads a few pages for somebody without an account. The limits keep the service from fetching for others: by the stranger's
 * address, by the host that is asked, and by following redirects within that host only.
 */
export class Trial {
  readonly #deps: TrialDeps;
  readonly #pages: PageReader;

  constructor(deps: TrialDeps) {
    const { clock, http } = deps;
    this.#deps = deps;
    const withinHost: HttpClient = {
      ...http,
      fetchPublic: (url, options) => http.fetchPublic(url, { ...options, sameHost: "or_www" }),
    };
    // A page that is missing is not asked for a second time.
    this.#pages = createPageReader({ http: withinHost, clock, seeksPostings: false, recheckMs: PAGES_MS });
  }

  /**
   * Tries the first pages of a list.
   * @param urls in normal form, each once
   * @throws Refusal rate_limited
   */
  async of(urls: readonly string[], ip: string): Promise<readonly TriedPage[]> {
    const { db, clock } = this.#deps;
    const tried = urls.slice(0, SIZES.urlsPerTrial);
    const options = { isolation: "repeatable read" } as const;
    const open = await db.tx((tx) => openHosts(tx, tried, ip, clock.now()), options);
    const read = tried.filter((url) => open.has(hostOf(url)));
    const [reports, found] = await Promise.all([this.#pages.check(read, clock.now() + PAGES_MS), this.#lookUp(read)]);
    return tried.map((url) => {
      const at = read.indexOf(url);
      return { url, report: reports[at] ?? null, google: found[at] ?? null };
    });
  }

  async #lookUp(urls: readonly string[]): Promise<readonly TriedPage["google"][]> {
    const { db, clock, lookups } = this.#deps;
    if (!lookups || urls.length === 0) return [];
    const isLeft = await db.tx((tx) =>
      tryConsumeLimit(tx, EVERYBODY, "free_lookups", clock.now(), { amount: urls.length, most: lookups.perDay }),
    );
    if (!isLeft) return [];
    const links = urls.map((url) => ({ url, sentAt: null }));
    const batch = { links, asOf: clock.service(), isUrgent: false, sites: () => null };
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), LOOKUP_MS);
    });
    const outcomes = await Promise.race([lookups.verifier.check(batch), end]).finally(() => clearTimeout(timer));
    return urls.map((_, at) => outcomes?.[at]?.result ?? "unknown");
  }
}

/**
 * The hosts that may be asked now. The try counts if there is one.
 * @throws Refusal rate_limited
 */
async function openHosts(tx: Tx, urls: readonly string[], ip: string, now: number): Promise<ReadonlySet<string>> {
  const stranger = addressKey(ip);
  await refuseOverLimit(tx, stranger, "trials", now);
  const open = new Set<string>();
  // In one order, so that two transactions do not wait for each other.
  for (const host of [...new Set(urls.map(hostOf))].sort())
    if (await tryConsumeLimit(tx, host, "trial_hosts", now)) open.add(host);
  if (open.size > 0) await consumeLimitIn(tx, stranger, "trials", now);
  return open;
}

/** Whatever the port: all ports of a host are one server to be polite to. */
function hostOf(url: string): string {
  return new URL(url).hostname;
}
