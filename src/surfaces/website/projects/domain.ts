import { setImmediate as pause } from "node:timers/promises";
import { presentLinks } from "../../../contract/shapes/link.ts";
import { isKeyUsed } from "../../../domain/calls/idempotency-keys.ts";
import { mayHaveResults, seeResults } from "../../../domain/inbox/read.ts";
import { isInInbox } from "../../../domain/inbox/waiting.ts";
import { COSTS, costOf, URLS_CHECKED_PER_CREDIT } from "../../../domain/ledger/costs.ts";
import { balanceOf } from "../../../domain/ledger/ledger.ts";
import { isPaid, orderOf } from "../../../domain/payments/orders/orders.ts";
import { namesOfPeople, personWords } from "../../../domain/people/words.ts";
import { adviceFor } from "../../../domain/projects/advice.ts";
import { isHeldOut } from "../../../domain/projects/create.ts";
import { evidenceOf, FINDINGS, type Finding, findingOf } from "../../../domain/projects/findings.ts";
import { goneIn } from "../../../domain/projects/gone.ts";
import { tagsLike, tagsOf } from "../../../domain/projects/labels.ts";
import { linksAt, positionsInOrder } from "../../../domain/projects/list-links.ts";
import {
  type Archived,
  bothWays,
  LINK_SORTS,
  type LinkSort,
  PROJECT_SORTS,
  type ProjectSort,
} from "../../../domain/projects/list-order.ts";
import { countProjects, projectsById } from "../../../domain/projects/list-projects.ts";
import { type OutcomeFilter, outcomesOf, outcomeTest, reasonCode } from "../../../domain/projects/outcomes.ts";
import { type Progress, progressFingerprint, progressOf } from "../../../domain/projects/progress.ts";
import { type LinkRecord, linkAt, type ProjectRow, projectOf } from "../../../domain/projects/read.ts";
import { causeSentence, checkReason, isNotIndexedReason } from "../../../domain/projects/reasons.ts";
import { LANES } from "../../../domain/projects/states.ts";
import { notSubmitted } from "../../../domain/projects/submitted.ts";
import { visitsOfProject } from "../../../indexing/visits/visits.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { positionOfLinkId } from "../../../platform/ids.ts";
import { hasControl } from "../../../platform/text.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

/**
 * What the pages of projects take of the domain: counts for their filters, the progress of a project over time, what the evidence
 * says of each link, and what a new project costs. They call operations for all else.
 */

export type { Archived, Finding, LinkSort, OutcomeFilter, Progress, ProjectSort };
export { COSTS, costOf, FINDINGS, isHeldOut, isNotIndexedReason, LANES, tagsOf, URLS_CHECKED_PER_CREDIT };

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

/** Who submitted it, as the reader may know it; null: nobody who is known. */
export function submitterOf({ db }: WebsiteServices, { session }: SignedInRequest, { personId }: Project) {
  return personWords(db, session, personId);
}

/** How many of the projects that match the search are of each kind and status. */
export function projectCounts(
  { db }: WebsiteServices,
  { session }: SignedInRequest,
  filter: Omit<Parameters<typeof countProjects>[2], "sort">,
) {
  return countProjects(db, session.accountId, filter);
}

/** What a list shows of a project besides the answer of list_projects. */
export interface Shown {
  /** How many of its links the last check did not find any more; list_projects counts them as indexed. */
  readonly gone: number;
  readonly tags: readonly string[];
  readonly archived: boolean;
  /** Who submitted it; null: nobody who is known, or the account has one member. */
  readonly by: string | null;
}

/** What a list shows of these projects, by id. */
export async function shownOf(
  { db }: WebsiteServices,
  { session }: SignedInRequest,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Shown>> {
  const rows = await projectsById(db, session.accountId, ids);
  const gone = await goneIn(db, [...rows.values()]);
  const people = await namesOfPeople(
    db,
    session,
    [...rows.values()].map(({ personId }) => personId),
  );
  const shown = (row: ProjectRow): Shown => ({
    by: people.get(row.personId ?? "") ?? null,
    gone: gone.get(row.no) ?? 0,
    tags: tagsOf(row),
    archived: row.archived,
  });
  return new Map([...rows].map(([id, row]) => [id, shown(row)]));
}

/** Tags of the account that contain a text, the most used first. */
export function tagsWith({ db }: WebsiteServices, { session }: SignedInRequest, text: string, limit: number) {
  return tagsLike(db, session.accountId, text, limit);
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

/** What the evidence says of a link, for a sentence about its result. */
export interface LinkEvidence {
  readonly finding: Finding;
  /** A code of reasons.ts; null where the evidence gives none. */
  readonly reason: string | null;
  /** Service time of its first day: when it was sent, or when its project was created. */
  readonly start: number;
  readonly firstFoundAt: number | null;
  readonly goneAt: number | null;
  readonly isLookedUp: boolean;
  /** Why the last check did not find it, in words; null: it says no more than that. */
  readonly why: string | null;
  /** Why it was not sent; null unless it failed. */
  readonly failure: string | null;
  /** What to do now, for a link that is not in Google for a reason. */
  readonly nextStep: string | null;
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
  readonly filter: OutcomeFilter;
}

/** The links of a project that a query lets through, and how many of the links that match the search have each finding. */
export async function linksFor({ db }: WebsiteServices, project: Project, { search, sort, filter }: LinkQuery) {
  const outcomes = await outcomesOf(db, project);
  const searched = await positionsInOrder(db, project, { search, sort });
  const counts = Object.fromEntries(FINDINGS.map((finding) => [finding, 0])) as Record<Finding, number>;
  for (const position of searched) counts[outcomes[position]!.finding]++;
  const positions = searched.filter(
    await outcomeTest(db, project, outcomes, filter, async () => (await visitsOfProject(db, project))?.crawls),
  );
  return { counts, positions, page: (from: number, to: number) => linksOf(db, project, positions.slice(from, to)) };
}

async function linksOf(db: WebsiteServices["db"], project: Project, positions: readonly number[]) {
  const records = await linksAt(db, project, positions);
  const shown = await presentLinks(db, project.accountId, records);
  return records.map(
    (record, at): ListedLink => ({
      link: shown[at]!,
      evidence: evidenceIn(record),
      position: record.position,
    }),
  );
}

/** What the evidence says of a link, as an operation answers it. */
export function findingIn({
  status,
  error_code,
  last_check,
}: Pick<ListedLink["link"], "status" | "error_code" | "last_check">): Finding {
  return findingOf({ state: status, error: error_code }, last_check?.result ?? null);
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
  const { finding, firstFoundAt, goneAt } = evidenceOf(record);
  // A page that was not found before it was sent says nothing about the result of sending.
  const last = observations.findLast(({ stage, result }) => stage !== "before_sending" || result === "indexed");
  const reason = reasonCode(link, finding, last ?? null);
  return {
    finding,
    reason,
    firstFoundAt,
    goneAt,
    start: link.sentAt ?? project.createdAt,
    isLookedUp: last !== undefined,
    why: reason === null || SAYS_NO_MORE.has(`${finding} ${reason}`) ? null : checkReason(reason),
    failure: finding === "failed" ? causeSentence("failed", link.error) : null,
    nextStep: reason === null ? null : nextStepFor(reason),
    isPaid: project.kind === "index",
  };
}

/** One thing to do about a reason of get_report. */
export function nextStepFor(reason: string): string {
  return adviceFor(reason).nextStep;
}

/** Findings with a reason that adds nothing to them. */
const SAYS_NO_MORE: ReadonlySet<string> = new Set(["not_indexed no_match", "checking no_match", "gone dropped"]);

/** The balance, and whether the account may submit. */
export async function fundsOf({ db }: WebsiteServices, { session }: SignedInRequest) {
  const [balance, paid] = await Promise.all([balanceOf(db, session.accountId), isPaid(db, session.accountId)]);
  return { balance, paid };
}

/** The credits of a paid order of the account; null: it has none with this id. */
export async function creditsPaidBy(
  { db }: WebsiteServices,
  { session }: SignedInRequest,
  orderId: string,
): Promise<number | null> {
  const order = hasControl(orderId) ? null : await orderOf(db, session.accountId, orderId);
  return order?.status === "paid" ? order.credits : null;
}

/** The given URLs that no earlier project of the account has. A long list lets other requests go on in between. */
export async function freshOf(
  { db }: WebsiteServices,
  { session }: SignedInRequest,
  urls: readonly string[],
): Promise<readonly string[]> {
  return (await notSubmitted(db, session.accountId, urls, pause)).urls;
}

/** Whether a form with this idempotency key has created a project. */
export function wasSent(
  { db }: WebsiteServices,
  { session, now }: SignedInRequest,
  { operation, key }: { readonly operation: string; readonly key: string },
): Promise<boolean> {
  return isKeyUsed(db, { accountId: session.accountId, operation, key }, now);
}

/** Takes the results of one project out of the inbox, or all of them. */
export function resultsSeen({ clock }: WebsiteServices, request: SignedInRequest, projectId?: string): Promise<void> {
  const { session, sessionTx, now } = request;
  return sessionTx((tx) => seeResults(tx, session, { now, service: clock.service() }, projectId));
}

/** Takes the results of a project out of the inbox, if whoever opens its page is somebody they wait for. */
export async function resultsOpened(
  { clock }: WebsiteServices,
  { session, sessionTx, now }: SignedInRequest,
  project: Project,
): Promise<void> {
  const service = clock.service();
  if (!isInInbox(session, "results") || !mayHaveResults(project, service)) return;
  await sessionTx((tx) => seeResults(tx, session, { now, service }, project.id));
}
