import { AGENTS, type Agent } from "../../domain/projects/access.ts";
import type { Clock } from "../../platform/clock.ts";
import { contentTypeOf } from "../../platform/http-client/content-type.ts";
import {
  FetchFailure,
  type FetchOptions,
  type FetchProblem,
  type HttpClient,
  type PublicResponse,
} from "../../platform/http-client/http-client.ts";
import { retryAfter } from "../../platform/http-client/retry-after.ts";
import { isSamePage } from "../../platform/urls/same-page.ts";
import { bytesOf } from "./body.ts";
import { contentSignal } from "./content-signal.ts";
import { decodeHtml } from "./encoding.ts";
import { canonicalsByHeader, isNoIndexByHeader } from "./headers.ts";
import { type HtmlOptions, type PageSignals, readHtml } from "./html.ts";
import { onlyWarnings, type PageFacts, refused } from "./page-facts.ts";
import { instantRefresh } from "./refresh.ts";
import type { PageWarning } from "./warnings.ts";

/** Most bytes of a page that are read. They contain its head, and nearly all structured data. */
const MAX_BYTES = 512 * 1024;

const FETCH = {
  accept: "text/html,application/xhtml+xml,*/*;q=0.5",
  // More than is read, so that reading ends before the client refuses the size.
  maxWireBytes: 2 * MAX_BYTES,
  maxBytes: 2 * MAX_BYTES,
} as const;

export interface ReadOptions {
  readonly clock: Clock;
  readonly timeMs: number;
  readonly signal: AbortSignal;
  /** Whether to look for structured data that makes the page acceptable for the Google Indexing API. */
  readonly seeksPosting: boolean;
}

/** Fetches a page once. A 404 or 410 is a refusal here. The caller requests such a page a second time. */
export async function readPage(http: HttpClient, url: string, options: ReadOptions): Promise<PageFacts> {
  const { timeMs, signal } = options;
  let response: PublicResponse;
  try {
    response = await http.fetchPublic(url, { ...FETCH, timeMs, signal });
  } catch (thrown) {
    if (!(thrown instanceof FetchFailure)) throw thrown;
    return afterFailure(http, new URL(url), thrown.problem, { ...FETCH, timeMs, signal, redirects: 0 });
  }
  try {
    return await factsOf(url, response, options);
  } finally {
    response.discard();
  }
}

async function factsOf(
  url: string,
  response: PublicResponse,
  { clock, seeksPosting }: ReadOptions,
): Promise<PageFacts> {
  const { status, headers } = response;
  // This holds after a redirect too: whoever follows the link finds nothing.
  if (status === 404 || status === 410) return refused(`http_${status}`, status);
  const leadsElsewhere = !isSamePage(url, response.url);
  const warnings: PageWarning[] = leadsElsewhere ? ["redirects"] : [];
  const unusual = UNUSUAL_STATUSES.find(({ is }) => is(status));
  if (unusual) {
    // The body of such an answer is about the error, and often has a noindex of its own.
    if (!warnings.includes(unusual.warning)) warnings.push(unusual.warning);
    const until = status === 429 ? retryAfter(headers, clock) : undefined;
    const rest = until === undefined ? {} : { restMs: until - clock.service() };
    return { status, refusal: null, warnings, isEligible: false, ...rest };
  }

  // The target's directives are not about this page. The target may be a sign-in or a consent page.
  if (leadsElsewhere) return { status, refusal: null, warnings, isEligible: false };

  const now = clock.now();
  const tags = response.headerLines("x-robots-tag");
  const byHeader = AGENTS.filter((agent) => isNoIndexByHeader(tags, now, agent));
  const found = (agents: Iterable<Agent>, isRead: boolean): Pick<PageFacts, "index" | "changedAt"> => {
    const contentSignals = response.headerLines("content-signal").map(contentSignal);
    const changedAt = lastModified(headers["last-modified"], now);
    const index = { noIndexFor: new Set([...byHeader, ...agents]), isRead, signals: contentSignals };
    return { index, ...(changedAt === null ? {} : { changedAt }) };
  };
  if (byHeader.includes("Googlebot")) return { ...refused("noindex", status), ...found([], false) };
  const { signals, problem } = await signalsOf(response, { seeksPosting, now });
  if (signals.isNoIndex) return { ...refused("noindex", status), ...found(signals.noIndexFor, false) };
  const base = resolved(signals.base ?? "", response.url) ?? response.url;
  const refresh = instantRefresh(fromLatin1(response.headerLines("refresh")[0] ?? "")) ?? signals.refresh ?? "";
  const next = resolved(refresh, base);
  const index = found(signals.noIndexFor, problem === undefined);
  if (next !== null && !isSamePage(next, response.url))
    return { status, refusal: null, warnings: ["redirects"], isEligible: false };
  const canonicals = [...canonicalsByHeader(headers.link), ...signals.canonicals];
  if (isCanonicalElsewhere(canonicals, response.url, base)) warnings.push("canonical_elsewhere");
  if (problem) warnings.push(problem);
  return { status, refusal: null, warnings, isEligible: seeksPosting ? signals.isPosting : null, ...index };
}

/** The date of Last-Modified, if it can be true. @param now real ms */
function lastModified(header: string | undefined, now: number): number | null {
  const at = Date.parse(header ?? "");
  return at > Date.UTC(1995, 0, 1) && at <= now ? at : null;
}

const NO_SIGNALS: PageSignals = {
  isNoIndex: false,
  noIndexFor: new Set(),
  canonicals: [],
  base: null,
  refresh: null,
  isPosting: false,
};

/** Signals of an HTML page. A document that broke off has none, unless a noindex had ended the reading before. */
async function signalsOf(
  response: PublicResponse,
  options: HtmlOptions,
): Promise<{ signals: PageSignals; problem?: PageWarning | undefined }> {
  // Without a valid type a body that is markup counts as HTML, as in browsers.
  const type = contentTypeOf(response.headerLines("content-type"));
  if (type !== null && !HTML.has(type.essence)) return { signals: NO_SIGNALS };
  try {
    const text = decodeHtml(bytesOf(response, MAX_BYTES), type?.charset ?? null);
    return { signals: await readHtml(text, options) };
  } catch (thrown) {
    if (!(thrown instanceof FetchFailure)) throw thrown;
    return { signals: NO_SIGNALS, problem: PROBLEMS[thrown.problem] };
  }
}

const HTML: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml"]);

/** Statuses without a page to read. Some sites answer every robot with 999 or a similar status. */
const UNUSUAL_STATUSES: readonly { is: (status: number) => boolean; warning: PageWarning }[] = [
  { is: (status) => status === 401 || status === 407, warning: "http_401" },
  { is: (status) => status === 408, warning: "timeout" },
  { is: (status) => status === 429, warning: "http_429" },
  { is: (status) => status >= 500 && status < 600, warning: "http_5xx" },
  { is: (status) => status >= 400, warning: "http_403" },
  // A status that we did not ask for, and without a page.
  { is: (status) => status === 304 || status < 200, warning: "unreachable" },
  // A redirect without a target.
  { is: (status) => status >= 300, warning: "redirects" },
];

const PROBLEMS: Readonly<Record<FetchProblem, PageWarning | undefined>> = {
  bad_url: "unreachable",
  not_public: "unreachable",
  unresolved: "unresolved",
  unreachable: "unreachable",
  timeout: "timeout",
  // The page is longer than we read. That is no reason for a warning.
  too_large: undefined,
  too_many_redirects: "redirects",
  left_host: "redirects",
  broken: "unreachable",
};

async function afterFailure(
  http: HttpClient,
  url: URL,
  problem: FetchProblem,
  options: FetchOptions & { redirects: 0 },
): Promise<PageFacts> {
  const isNotPublic = problem === "not_public" || problem === "bad_url";
  if (isNotPublic && (await isHostNotPublic(http, url, options))) return refused("host_not_public");
  const warning = PROBLEMS[problem];
  const isHostDown = problem === "timeout" || problem === "unreachable" || problem === "unresolved";
  return { ...(warning ? onlyWarnings(warning) : onlyWarnings()), isHostDown };
}

/**
 * Whether the page's own host is not public, rather than a host that it redirects to. Its page is requested without
 * following redirects. A URL with a port of its own says nothing about the host, so the host's default port is
 * requested instead.
 */
async function isHostNotPublic(
  http: HttpClient,
  { protocol, hostname, port, href }: URL,
  options: FetchOptions,
): Promise<boolean> {
  try {
    const response = await http.fetchPublic(port === "" ? href : `${protocol}//${hostname}/robots.txt`, options);
    response.discard();
    return false;
  } catch (thrown) {
    if (!(thrown instanceof FetchFailure)) throw thrown;
    return thrown.problem === "not_public" || thrown.problem === "bad_url";
  }
}

/** Whether the page has readable canonicals, and all of them name other pages. */
function isCanonicalElsewhere(canonicals: readonly string[], pageUrl: string, base: string): boolean {
  const targets = canonicals.map((canonical) => resolved(canonical, base)).filter((target) => target !== null);
  return targets.length > 0 && !targets.some((target) => isSamePage(target, pageUrl));
}

/** The absolute URL. Null for text that is no address of the web, or was decoded wrongly (U+FFFD). */
function resolved(address: string, base: string): string | null {
  if (address.trim() === "" || address.includes("\uFFFD")) return null;
  try {
    const { href } = new URL(address, base);
    return /^https?:/.test(href) ? href : null;
  } catch {
    return null;
  }
}

/** Header values come as Latin-1; addresses beyond ASCII are UTF-8 in practice. */
function fromLatin1(value: string): string {
  return Buffer.from(value, "latin1").toString();
}
