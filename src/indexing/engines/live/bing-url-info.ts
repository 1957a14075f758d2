import type { Crawl } from "../../../domain/projects/facts.ts";
import { eachLimit } from "../../../platform/concurrency.ts";
import type { ProviderBook } from "../../providers/book.ts";
import { UpstreamFailure } from "../../providers/failure.ts";
import type { BingLookup, BingOutcome, OwnedSite } from "../engine.ts";
import { type Api, ask, baseOf, jsonOf } from "./api.ts";
import { plausibleCrawl } from "./crawl-time.ts";
import { bingAccount, bingQuota, bingRoute, failureIn } from "./submit/bing-webmaster.ts";

const PROVIDER = "bing_webmaster";
/** The name under which lookups are counted, budgeted and held, apart from submissions. */
const NAME = "bing_url_info";

/** Calls that may run at once. */
const CONCURRENCY = 2;

/**
 * Bing Webmaster's URL information (https://learn.microsoft.com/dotnet/api/microsoft.bing.webmaster.api.interfaces.iwebmasterapi.geturlinfo),
 * for pages of sites in an account's own connection, or in the operator's account.
 * @param key the operator's; null: there is none
 */
export function bingUrlInfo(api: Api, key: string | null, book: ProviderBook): BingLookup {
  const isOfOperator = ({ connections }: OwnedSite) => key !== null && connections[PROVIDER] !== undefined;
  return {
    covers: (site) => isOfOperator(site) || (site.own ?? []).some(({ kind }) => kind === PROVIDER),
    async check({ urls, sites }) {
      const outcomes: BingOutcome[] = urls.map(() => ({ result: "unknown", reason: "held" }));
      const all = urls.map((url, index) => ({ url, index, site: sites(url) }));
      await eachLimit(all, CONCURRENCY, async ({ url, index, site }) => {
        // The site may have lost its connection since the page was submitted.
        if (!site || !(isOfOperator(site) || bingRoute(url, site)))
          outcomes[index] = { result: "unknown", reason: "host_not_connected" };
        else outcomes[index] = await lookUp(api, key, book, { url, site });
      });
      return outcomes;
    },
  };
}

/** A failed call and an exhausted budget give no answer. */
async function lookUp(
  api: Api,
  key: string | null,
  book: ProviderBook,
  { url, site }: { url: string; site: OwnedSite },
): Promise<BingOutcome> {
  const quota = bingQuota(api, NAME, url, site);
  const ask = async () => urlInfo(api, { url, ...(await bingAccount(api, key, url, site)) });
  try {
    const outcome = await book.within(quota, 1, ask, ({ result }) => TALLIES[result]);
    return outcome ?? { result: "unknown", reason: "held" };
  } catch (thrown) {
    if (!(thrown instanceof UpstreamFailure)) throw thrown;
    return { result: "unknown", reason: thrown.kind };
  }
}

const TALLIES = { indexed: { indexed: 1 }, not_indexed: { notIndexed: 1 }, unknown: { unknown: 1 } } as const;

async function urlInfo(
  api: Api,
  { key, url, siteUrl }: { key: string; url: string; siteUrl: string },
): Promise<BingOutcome> {
  const query = new URLSearchParams({ apikey: key, siteUrl, url });
  const base = baseOf(api, PROVIDER, "https://ssl.bing.com");
  const answer = await ask(api, PROVIDER, { method: "GET", url: `${base}/webmaster/api.svc/json/GetUrlInfo?${query}` });
  const failure = failureIn(api, answer);
  if (failure) throw failure;
  const info = jsonOf(PROVIDER, answer);
  const crawl = crawlOf(info, api.clock.service());
  return { result: verdictOf(info), ...(crawl ? { crawl } : {}) };
}

/**
 * Whether Bing has a page. Bing does not say so itself. A page counts as indexed if Bing holds a document that it has
 * crawled. It counts as not indexed if Bing has never crawled it, or last found it to be gone. Anything else is
 * unknown.
 */
export function verdictOf(answer: unknown): BingOutcome["result"] {
  const { d } = Object(answer) as { d?: Readonly<Record<string, unknown>> | null };
  if (!d || typeof d !== "object") return "unknown";
  const { HttpStatus: status, DocumentSize: size } = d;
  const [crawled, discovered] = [timeOf(d.LastCrawledDate), timeOf(d.DiscoveryDate)];
  if (crawled === null) return "unknown";
  if (typeof status === "number" && status >= 400) return "not_indexed";
  if (crawled <= 0) return discovered === null ? "unknown" : "not_indexed";
  const isFound = status === 0 || status === 200 || status === undefined;
  return isFound && typeof size === "number" && size > 0 ? "indexed" : "unknown";
}

/** What the answer says of Bing's last crawl of the page; null where it says nothing. @param now service time of the answer */
export function crawlOf(answer: unknown, now: number): Crawl | null {
  const { d } = Object(answer) as { d?: Readonly<Record<string, unknown>> | null };
  const time = timeOf(d?.LastCrawledDate);
  if (!d || time === null) return null;
  const found = timeOf(d.DiscoveryDate) ?? 0;
  const discoveredAt = found > 0 && found <= now ? found : null;
  const own = discoveredAt === null ? null : { discoveredAt };
  if (time <= 0) return { crawledAt: null, shared: { never: true }, own };
  const { crawledAt, doubtful } = plausibleCrawl(time, now, discoveredAt);
  const { HttpStatus: status } = d;
  // Bing says 0 where it does not say the status.
  const isStatus = typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 999;
  const shared = { ...(isStatus ? { status: String(status) } : {}), ...(doubtful ? { doubtful } : {}) };
  return { crawledAt, shared, own };
}

/** A date as Bing writes it, such as `/Date(1399100400000-0700)/`, in ms. A date in the year 1 stands for none. */
function timeOf(date: unknown): number | null {
  const ms = typeof date === "string" ? /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/.exec(date)?.[1] : undefined;
  return ms === undefined ? null : Number(ms);
}
