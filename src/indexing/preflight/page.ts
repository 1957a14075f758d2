import type { Clock } from "../../platform/clock.ts";
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
import { canonicalsByHeader, isNoIndexByHeader } from "./headers.ts";
import { type PageSignals, readHtml } from "./html.ts";
import { onlyWarnings, type PageFacts, refused } from "./page-facts.ts";
import type { PageWarning } from "./warnings.ts";

/** The head of a page stands in the first of these, and so does nearly all structured data. */
const MOST_BYTES = 512 * 1024;

const VISIT = {
  accept: "text/html,application/xhtml+xml,*/*;q=0.5",
  // More than is read, so that reading stops before the client refuses the size.
  maxWireBytes: 2 * MOST_BYTES,
  maxBytes: 2 * MOST_BYTES,
} as const;

export interface ReadOptions {
  readonly clock: Clock;
  readonly timeMs: number;
  readonly signal: AbortSignal;
  /** Whether to look for what the Google Indexing API takes. */
  readonly seeksPosting: boolean;
}

/** Looks at a page once. A 404 or 410 is a refusal here: that it counts only twice is the caller's business. */
export async function readPage(http: HttpClient, url: string, options: ReadOptions): Promise<PageFacts> {
  const { timeMs, signal } = options;
  let response: PublicResponse;
  try {
    response = await http.fetchPublic(url, { ...VISIT, timeMs, signal });
  } catch (thrown) {
    if (!(thrown instanceof FetchFailure)) throw thrown;
    return afterFailure(http, new URL(url), thrown.problem, { ...VISIT, timeMs, signal, redirects: 0 });
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
  // Also behind a redirect: whoever follows the link finds nothing.
  if (status === 404 || status === 410) return refused(`http_${status}`, status);
  const leadsElsewhere = !isSamePage(url, response.url);
  const warnings: PageWarning[] = leadsElsewhere ? ["redirects"] : [];
  const oddity = ODD_STATUSES.find(({ is }) => is(status));
  if (oddity) {
    // Whatever stands on such a page is about the error: many say noindex there.
    if (!warnings.includes(oddity.warning)) warnings.push(oddity.warning);
    const until = status === 429 ? retryAfter(headers, clock) : undefined;
    const rest = until === undefined ? {} : { restMs: until - clock.service() };
    return { status, refusal: null, warnings, isEligible: false, ...rest };
  }

  // What another page says of itself is not about this one: the redirect may be a sign-in, or a question of consent.
  if (leadsElsewhere) return { status, refusal: null, warnings, isEligible: false };

  if (isNoIndexByHeader(headers)) return refused("noindex", status);
  const { signs, problem } = await signsOf(response, seeksPosting);
  if (signs.isNoIndex) return refused("noindex", status);
  const canonicals = [...canonicalsByHeader(headers), ...signs.canonicals];
  if (isCanonicalElsewhere(canonicals, response.url, signs.base)) warnings.push("canonical_elsewhere");
  if (problem) warnings.push(problem);
  return { status, refusal: null, warnings, isEligible: seeksPosting ? signs.isPosting : null };
}

const NO_SIGNS: PageSignals = { isNoIndex: false, canonicals: [], base: null, isPosting: false };

/** A document that broke off may have said more, so nothing is taken from it; a noindex is not waited behind. */
async function signsOf(
  response: PublicResponse,
  seeksPosting: boolean,
): Promise<{ signs: PageSignals; problem?: PageWarning | undefined }> {
  const type = response.headers["content-type"] ?? "text/html";
  if (!/^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(type)) return { signs: NO_SIGNS };
  try {
    return { signs: await readHtml(bytesOf(response, MOST_BYTES), seeksPosting) };
  } catch (thrown) {
    if (!(thrown instanceof FetchFailure)) throw thrown;
    return { signs: NO_SIGNS, problem: PROBLEMS[thrown.problem] };
  }
}

/** Statuses at which there is no page to read. 999 and the like are what some sites say to every robot. */
const ODD_STATUSES: readonly { is: (status: number) => boolean; warning: PageWarning }[] = [
  { is: (status) => status === 401 || status === 407, warning: "http_401" },
  { is: (status) => status === 408, warning: "timeout" },
  { is: (status) => status === 429, warning: "http_429" },
  { is: (status) => status >= 500 && status < 600, warning: "http_5xx" },
  { is: (status) => status >= 400, warning: "http_403" },
  // Nobody asked for it, and no page came with it.
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
  // As much as we read of a page, or nothing: no reason.
  too_large: undefined,
  too_many_redirects: "redirects",
  broken: "unreachable",
};

async function afterFailure(
  http: HttpClient,
  url: URL,
  problem: FetchProblem,
  once: FetchOptions & { redirects: 0 },
): Promise<PageFacts> {
  const isClosed = problem === "not_public" || problem === "bad_url";
  if (isClosed && (await isHostClosed(http, url, once))) return refused("host_not_public");
  const warning = PROBLEMS[problem];
  const isHostDown = problem === "timeout" || problem === "unreachable" || problem === "unresolved";
  return { ...(warning ? onlyWarnings(warning) : onlyWarnings()), isHostDown };
}

/**
 * Whether it was the page's own host that is not public, and not one that it redirects to: asks again without
 * following. A port of its own says nothing about the host, so the host is asked at the usual one.
 */
async function isHostClosed(
  http: HttpClient,
  { protocol, hostname, port, href }: URL,
  once: FetchOptions,
): Promise<boolean> {
  try {
    const response = await http.fetchPublic(port === "" ? href : `${protocol}//${hostname}/robots.txt`, once);
    response.discard();
    return false;
  } catch (thrown) {
    if (!(thrown instanceof FetchFailure)) throw thrown;
    return thrown.problem === "not_public" || thrown.problem === "bad_url";
  }
}

/** Whether every canonical that can be read names another page; one that names this page settles it. */
function isCanonicalElsewhere(canonicals: readonly string[], pageUrl: string, base: string | null): boolean {
  const from = resolved(base ?? "", pageUrl) ?? pageUrl;
  const targets = canonicals.map((canonical) => resolved(canonical, from)).filter((target) => target !== null);
  return targets.length > 0 && !targets.some((target) => isSamePage(target, pageUrl));
}

/** Null for what is no address, or was read in another encoding than it was written in (U+FFFD). */
function resolved(address: string, base: string): string | null {
  if (address.trim() === "" || address.includes("\uFFFD")) return null;
  try {
    return new URL(address, base).href;
  } catch {
    return null;
  }
}
