import { presentLinks } from "../../../contract/shapes/link.ts";
import { costOf } from "../../../domain/ledger/costs.ts";
import { type Advice, adviceFor } from "../../../domain/projects/advice.ts";
import { isHeldOut } from "../../../domain/projects/create.ts";
import { evidenceOf, FINDINGS, type Finding } from "../../../domain/projects/findings.ts";
import { countLinks, linksOf } from "../../../domain/projects/list-links.ts";
import {
  bothWays,
  LINK_SORTS,
  type LinkSort,
  PROJECT_SORTS,
  type ProjectSort,
} from "../../../domain/projects/list-order.ts";
import { countProjects } from "../../../domain/projects/list-projects.ts";
import { type Progress, progressFingerprint, progressOf } from "../../../domain/projects/progress.ts";
import { type LinkRecord, linkAt, type ProjectRow, projectOf } from "../../../domain/projects/read.ts";
import { causeOf, causeSentence, checkReason } from "../../../domain/projects/reasons.ts";
import { type Report, reportOf, type UrlGroup } from "../../../domain/projects/report.ts";
import { LANES, LINK_STATES, type LinkState } from "../../../domain/projects/states.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { positionOfLinkId } from "../../../platform/ids.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

/**
 * What the pages of projects show besides the answers of operations: counts for their filters, the progress of a project over
 * time, and what the evidence says of each link. It is the one file of this room that reads the domain.
 */

export type { Advice, Finding, LinkSort, LinkState, Progress, ProjectSort, Report, UrlGroup };
export { adviceFor, FINDINGS, isHeldOut, LANES, LINK_STATES };

/** A project with what only its pages show, such as its price for each link. */
export type Project = ProjectRow;

/** The orders of both lists. */
export const PROJECT_ORDERS = bothWays(PROJECT_SORTS);
export const LINK_ORDERS = bothWays(LINK_SORTS);

/** The project that the address names. @throws Refusal not_found */
export async function projectAt({ db }: WebsiteServices, request: SignedInRequest): Promise<Project> {
  const project = await projectOf(db, request.session.accountId, request.param("id"));
  if (project) return project;
  throw new Refusal("not_found", "Your account has no such project. The dashboard lists all that it has.");
}

/** How many of the projects that match the search are of each kind and status. */
export function projectCounts(
  { db }: WebsiteServices,
  { session }: SignedInRequest,
  filter: { readonly search: string; readonly credentials: readonly string[] | null },
) {
  return countProjects(db, session.accountId, filter);
}

/** Changes whenever a link of the project has changed. */
export function fingerprintOf({ db }: WebsiteServices, project: Project): Promise<string> {
  return progressFingerprint(db, project);
}

/** @param until service time at which its history ends */
export function progressUntil({ db }: WebsiteServices, project: Project, until: number): Promise<Progress> {
  return progressOf(db, project, until);
}

/** The price of looking URLs up before they are sent, which is kept of what comes back for URLs that Google had. */
export function keptForLookups({ price, alreadyIndexed, lookedUp }: Project): number {
  return Math.min(price * alreadyIndexed, costOf("check", lookedUp));
}

/** What the evidence says of a link, for a sentence about its state. */
export interface LinkEvidence {
  readonly finding: Finding;
  /** Service time of its first day: when it was sent, or when its project was created. */
  readonly start: number;
  readonly foundAt: number | null;
  readonly goneAt: number | null;
  /** Why the last check did not find it, in words; null: it says no more than that. */
  readonly why: string | null;
  /** Why it was not sent; null unless it failed. */
  readonly failure: string | null;
  /** Whether the link was paid for by itself, as in a project that sends its links. */
  readonly isPaid: boolean;
}

/** A link as the API shows it, with what its evidence says. */
export interface ListedLink {
  readonly link: Awaited<ReturnType<typeof presentLinks>>[number];
  readonly evidence: LinkEvidence;
  readonly position: number;
}

interface LinkQuery {
  readonly search: string;
  readonly sort: LinkSort;
  readonly state: LinkState | null;
  readonly limit: number;
  readonly offset: number;
}

/** A page of a project's links, and how many of the links that match the search have each state. */
export async function linksPage({ db }: WebsiteServices, project: Project, query: LinkQuery) {
  const [counts, { records, hasMore }] = await Promise.all([
    countLinks(db, project, query.search),
    linksOf(db, project, query),
  ]);
  const shown = await presentLinks(db, project.accountId, records);
  const links: ListedLink[] = records.map((record, index) => ({
    link: shown[index]!,
    evidence: evidenceIn(record),
    position: record.position,
  }));
  return { counts, links, hasMore };
}

/** What the evidence says of the link that the address names. @throws Refusal not_found */
export async function evidenceAt({ db }: WebsiteServices, request: SignedInRequest): Promise<LinkEvidence> {
  const project = await projectOf(db, request.session.accountId, request.param("id"));
  const position = project && positionOfLinkId(request.param("linkId"), project.id);
  const record = project && position !== null ? await linkAt(db, project, position) : null;
  if (record) return evidenceIn(record);
  throw new Refusal("not_found", "Your account has no such URL. The page of its project lists all that it has.");
}

function evidenceIn(record: LinkRecord): LinkEvidence {
  const { link, project, observations } = record;
  const { finding, foundAt, goneAt, reason } = evidenceOf(record);
  // The cause `no_match` says no more than that the link was not found.
  const code = finding === "not_indexed" ? causeOf(link, observations)!.code : reason;
  return {
    finding,
    foundAt,
    goneAt,
    start: link.sentAt ?? project.createdAt,
    why: code === null || code === "no_match" ? null : checkReason(code),
    failure: finding === "failed" ? causeSentence("failed", link.error) : null,
    isPaid: project.kind === "index",
  };
}

/** Why the links of a project are as they are, with the first of each reason; and what Bing says of them. */
export async function reportAt({ db }: WebsiteServices, project: Project) {
  const report = await reportOf(db, project);
  return { report, bing: report.bing };
}
