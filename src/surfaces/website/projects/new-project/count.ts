import estimateCost from "../../../../../tools/estimate-cost.ts";
import readSitemap from "../../../../../tools/read-sitemap.ts";
import type { List } from "../../../../platform/lists/list.ts";
import { linesOf } from "../../../../platform/lists/list-lines.ts";
import { withPauses } from "../../../../platform/lists/steps.ts";
import { countOf, type ListCount } from "../../../../platform/lists/words.ts";
import { SIZES } from "../../../../platform/sizes.ts";
import { Slices } from "../../../../platform/slices.ts";
import { UrlListBuilder } from "../../../../platform/urls/urls.ts";
import { callOperation, readOperation } from "../../shell/call-operation.ts";
import type { SignedInRequest, WebsiteServices } from "../../shell/page-request.ts";
import { freshOf } from "../domain.ts";
import { type Draft, holdoutOf } from "./draft.ts";

/** What a draft comes to, before anything is spent. */
export interface Count {
  /** URLs of the project. */
  readonly urls: number;
  readonly duplicates: number;
  readonly invalid: number;
  /** What was read of the typed list; null for a sitemap. */
  readonly typed: ListCount | null;
  /** What was read of the file that was sent with it. */
  readonly file: { readonly name: string; readonly count: ListCount } | null;
  /** URLs that an earlier project of the account has. In a list they are paid again; in a sitemap they can be left out. */
  readonly submitted: number;
  /** The URLs of a list that no earlier project has, one per line. */
  readonly fresh: string;
  readonly credits: number;
  /** The two groups, where pages are held out, and what it costs to look up the held ones. */
  readonly experiment: { readonly sent: number; readonly held: number; readonly credits: number } | null;
  readonly balance: number;
  /** URLs of a sitemap that do not fit into one project. */
  readonly remaining: number;
  /** What read_sitemap warns of. */
  readonly warnings: readonly string[];
}

/** Counts a list by estimate_cost. @throws Refusal */
export async function countList(
  services: WebsiteServices,
  request: SignedInRequest,
  draft: Draft,
  list: List,
  file: Count["file"],
): Promise<Count> {
  const { urls, duplicates } = list;
  const { kind } = draft;
  const typed = countOf(list);
  const estimate = await callOperation(services, request, estimateCost, { kind, urls, ...holdoutOf(draft) });
  const accepted = await normalForms(urls);
  const fresh = kind === "check" ? accepted : await freshOf(services, request, accepted);
  return {
    urls: estimate.urls,
    duplicates: duplicates + (file?.count.duplicates ?? 0),
    invalid: typed.invalid + (file?.count.invalid ?? 0),
    typed,
    file,
    submitted: accepted.length - fresh.length,
    fresh: await withPauses(linesOf({ urls: fresh, offered: [] }), new Slices()),
    credits: estimate.credits,
    experiment: estimate.experiment ?? null,
    balance: estimate.balance!,
    remaining: 0,
    warnings: [],
  };
}

/** Counts a sitemap by read_sitemap and estimate_cost. @throws Refusal */
export async function countSitemap(services: WebsiteServices, request: SignedInRequest, draft: Draft): Promise<Count> {
  const { sitemap_url, skip_already_submitted, kind } = draft;
  const input = { sitemap_url, skip_already_submitted, limit: 0 };
  const read = await callOperation(services, request, readSitemap, input);
  const urls = Math.min(read.urls_remaining, SIZES.urlsPerSubmission);
  // A sitemap without a URL to submit is refused as such, whatever is held out.
  const priced = urls === 0 ? {} : { count: urls, ...holdoutOf(draft) };
  const estimate = await readOperation(services, request, estimateCost, { kind, ...priced });
  return {
    urls,
    duplicates: read.duplicates,
    invalid: read.invalid,
    typed: null,
    file: null,
    submitted: read.already_submitted,
    fresh: "",
    credits: estimate.credits,
    experiment: estimate.experiment ?? null,
    balance: estimate.balance!,
    remaining: read.urls_remaining - urls,
    warnings: read.warnings,
  };
}

/** URLs in normal form, each once. A long list lets other requests go on in between. */
export async function normalForms(urls: readonly string[]): Promise<readonly string[]> {
  const list = new UrlListBuilder();
  const slices = new Slices();
  for (const [index, url] of urls.entries()) {
    list.add(url);
    if (index % 64 === 63 && slices.isOver()) await slices.next();
  }
  return list.list().accepted;
}
