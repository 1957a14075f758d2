import { and, asc, between, eq } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { linkKey, positionOf, positionOfLinkId } from "../../platform/ids.ts";
import { indexInSet } from "../../platform/link-set.ts";
import type { Access } from "./access.ts";
import type { IndexDraft } from "./draft.ts";
import { positionsOf, refuseLinks } from "./find.ts";
import type { ProjectRow } from "./read.ts";
import { causeOf, type LinkError } from "./reasons.ts";
import { type ListedLink, linksWithUrls } from "./submitted.ts";

/** Which links of a project are sent again. Without reasons and ids it is every link that is not indexed. */
export interface Selection {
  readonly reasons?: readonly string[] | undefined;
  readonly linkIds?: readonly string[] | undefined;
}

/** Why a link is not sent again: a refusal of its page, or what has become of its URL since. */
type LeftOut = LinkError | "under_way" | "indexed_since";

interface Resubmission {
  readonly urls: readonly string[];
  /** The links that were selected and are not sent again, by reason, the most frequent first. */
  readonly leftOut: readonly { readonly reason: LeftOut; readonly count: number }[];
}

/**
 * The URLs of a project that are sent again: the selected ones that are not indexed. A page that refused to be indexed when it was
 * last read is left out. So is a URL that a later project has found in Google, or that is under way in another project.
 * @throws Refusal invalid_request, for a selected link that is not `not_indexed`
 */
export async function resubmissionOf(db: Reader, project: ProjectRow, selection: Selection): Promise<Resubmission> {
  const urls = await selectedUrls(db, project, selection);
  const left = await leftOutOf(db, project, urls);
  const counts = new Map<LeftOut, number>();
  for (const reason of left) if (reason) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return {
    urls: urls.filter((_, index) => !left[index]),
    leftOut: [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
  };
}

/** Where and how URLs are sent again: as before, and those of a check as submit_urls does where it is told nothing. */
export function sameSettings(project: ProjectRow) {
  const { name, mode, bing, yandex, dripDays, skipIndexed, sitemapUrl } = project;
  const asBefore = { bing, yandex, dripDays, skipIndexed, sitemapUrl: sitemapUrl ?? undefined };
  const settings = project.kind === "index" ? asBefore : { bing: true, yandex: true, dripDays: 0, skipIndexed: false };
  return { name, mode: (mode ?? "standard") as IndexDraft["mode"], ...settings };
}

/** @throws Refusal no_valid_urls */
export function nothingToResubmit({ leftOut }: Resubmission): Refusal {
  const why =
    leftOut.length > 0 ? "Every URL that was selected is left out" : "No URL that was selected is not_indexed";
  return new Refusal("no_valid_urls", `${why}. Nothing was spent.`, { left_out: leftOut });
}

async function selectedUrls(db: Reader, project: ProjectRow, { reasons, linkIds }: Selection): Promise<string[]> {
  if (reasons && linkIds) {
    const issues = [{ path: "reasons", message: "send reasons or link_ids, not both" }];
    throw new Refusal("invalid_request", "Send `reasons` or `link_ids`, not both. Nothing was changed.", { issues });
  }
  const { links } = db.t;
  const { no, total } = project;
  const isSelected = linkIds
    ? db.among(
        links.id,
        positionsOf(project, linkIds).map((position) => linkKey(no, position)),
      )
    : and(between(links.id, linkKey(no, 0), linkKey(no, total - 1)), eq(links.state, "not_indexed"));
  const selected = await db.q.select().from(links).where(isSelected).orderBy(asc(links.id));
  if (linkIds) {
    const states = new Map(selected.map(({ id, state }) => [positionOf(id), state]));
    refuseLinks(linkIds, (index) => {
      const state = states.get(positionOfLinkId(linkIds[index]!, project.id)!)!;
      return state === "not_indexed" ? null : `${state}, and only URLs that are not_indexed are sent again`;
    });
  }
  return selected.filter((link) => reasons?.includes(causeOf(link, [])!.code) ?? true).map(({ url }) => url);
}

/** Why pages were refused by the preflight of a link that failed. */
const REFUSALS: ReadonlySet<string | null> = new Set<LinkError>([
  "host_not_public",
  "http_404",
  "http_410",
  "noindex",
  "robots_disallowed",
]);

/** What Googlebot is kept out by, as the preflight calls it. */
const KEPT_OUT: Readonly<Record<string, LinkError>> = { robots: "robots_disallowed", noindex: "noindex" };

/** @returns by place in the list why a URL is left out; nothing for the others */
async function leftOutOf(
  db: Reader,
  project: ProjectRow,
  urls: readonly string[],
): Promise<readonly (LeftOut | undefined)[]> {
  const left: (LeftOut | undefined)[] = [];
  const lastRead = new Float64Array(urls.length);
  const refusals: (LinkError | null)[] = [];
  for await (const { projectNo, links } of linksWithUrls(db, project.accountId, urls)) {
    const readings = await readingsOf(db, projectNo, links);
    links.forEach(({ index, state }, at) => {
      if (state === "waiting" || state === "checking") left[index] = "under_way";
      if (state === "indexed" && projectNo > project.no) left[index] ??= "indexed_since";
      const reading = readings[at];
      if (!reading || reading.at < lastRead[index]!) return;
      lastRead[index] = reading.at;
      refusals[index] = reading.refusal;
    });
  }
  return urls.map((_, index) => refusals[index] ?? left[index]);
}

/** The last reading of a page before it was sent. */
interface Reading {
  /** Service time. */
  readonly at: number;
  readonly refusal: LinkError | null;
}

/** @returns nothing for a link whose page was not read */
async function readingsOf(
  db: Reader,
  projectNo: number,
  links: readonly ListedLink[],
): Promise<(Reading | undefined)[]> {
  const { pageFacts, projects } = db.t;
  const { at, shared, first, members } = pageFacts;
  const rows = await db.q
    .select({ at, shared, first, members })
    .from(pageFacts)
    .where(and(eq(pageFacts.projectNo, projectNo), eq(pageFacts.source, "preflight")))
    .orderBy(asc(pageFacts.id));
  const facts = rows.map((row) => ({ ...row, access: (JSON.parse(row.shared) as { access: Access }).access }));
  const [project] = await db.q
    .select({ createdAt: projects.createdAt })
    .from(projects)
    .where(eq(projects.no, projectNo));
  return links.map(({ position, state, error }) => {
    const fact = facts.findLast((row) => indexInSet(row, position) !== -1);
    // A refused page has failed. Of a host that is not public nothing is read, so nothing says when.
    if (state === "failed" && REFUSALS.has(error))
      return { at: fact?.at ?? project!.createdAt, refusal: error as LinkError };
    return fact && { at: fact.at, refusal: KEPT_OUT[fact.access.Googlebot ?? ""] ?? null };
  });
}
