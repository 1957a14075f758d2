import { PATHS } from "../shell/addresses.ts";
import { type ListQuery, listAddress, listQuery, without } from "../shell/list-query.ts";
import type { PageRequest } from "../shell/page-request.ts";
import { FINDINGS, LINK_ORDERS, type LinkSort, type OutcomeFilter } from "./domain.ts";

/** Which URLs of a project an address asks for, by the names of its parameters. */
export interface LinkParameters {
  readonly search?: string;
  readonly sort?: string;
  /** A finding, as get_report names it. */
  readonly status?: string;
  /** A reason of get_report. */
  readonly reason?: string;
  /** First found by this day after sending. */
  readonly found?: string;
  /** `google-no`: not fetched by Google since it was sent; `bing-yes`: fetched by Bing; `google-unknown`. */
  readonly crawl?: string;
}

/** Where the page of a project shows its list. */
export const LIST_HASH = "#urls";

/** The address of a project's URLs of which a number tells. */
export function linksPath(projectId: string, parameters: LinkParameters): string {
  return listAddress(`${PATHS.projects}/${projectId}`, presentIn(parameters), LIST_HASH);
}

/** The parameters that are there, without defaults. */
export function presentIn(parameters: LinkParameters): Record<string, string> {
  return without({ sort: "submitted" }, { ...(parameters as Record<string, string>) });
}

export interface WantedLinks extends ListQuery<LinkSort> {
  readonly filter: OutcomeFilter;
  /** As they stand in the address; what it asks for and does not exist is absent. */
  readonly parameters: LinkParameters;
}

/** What the address of a request asks for. */
export function wantedLinks(request: Pick<PageRequest, "query">): WantedLinks {
  const query = listQuery(request, LINK_ORDERS, "submitted");
  const filter = {
    finding: FINDINGS.find((one) => one === request.query("status")),
    reason: /^[a-z0-9_]{1,40}$/.exec(request.query("reason"))?.[0],
    foundBy: foundIn(request.query("found")),
    crawl: crawlIn(request.query("crawl")),
  };
  const { search, sort } = query;
  return { ...query, filter, parameters: { search, sort, ...parametersOf(filter) } };
}

function parametersOf({ finding, reason, foundBy, crawl }: OutcomeFilter): LinkParameters {
  return {
    status: finding ?? "",
    reason: reason ?? "",
    found: foundBy === undefined ? "" : String(foundBy),
    crawl: crawl === undefined ? "" : `${crawl.engine}-${wordOfCrawl(crawl.isFetched)}`,
  };
}

function foundIn(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) ? Number(text) : undefined;
}

function crawlIn(text: string): OutcomeFilter["crawl"] {
  const [, engine, word] = /^(google|bing)-(yes|no|unknown)$/.exec(text) ?? [];
  const isFetched = word === "unknown" ? null : word === "yes";
  return engine ? { engine: engine as "google" | "bing", isFetched } : undefined;
}

function wordOfCrawl(isFetched: boolean | null): string {
  if (isFetched === null) return "unknown";
  return isFetched ? "yes" : "no";
}
