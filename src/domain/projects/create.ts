import type { NewStep, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import { bucketOf, newProjectId } from "../../platform/ids.ts";
import { packRange } from "../../platform/link-set.ts";
import { creatorOf, OPERATOR } from "../../platform/principal.ts";
import { COSTS, costOf } from "../ledger/costs.ts";
import { spendCredits } from "../spending/spend.ts";
import type { CheckDraft, IndexDraft } from "./draft.ts";
import { digestOf, purposeOf } from "./purpose.ts";
import type { ProjectRow } from "./read.ts";
import { LANES, type Lane, STEP_SIZE } from "./states.ts";

export interface Created {
  readonly project: ProjectRow;
  readonly balance: number;
}

/**
 * Spends the credits and writes the project, its links and their first steps, in the caller's transaction.
 * @throws Refusal insufficient_credits, unauthorized
 * @throws LimitExceeded
 * @throws ApprovalNeeded
 * @throws AboveAgreed
 */
export async function createProject(tx: Tx, draft: IndexDraft | CheckDraft): Promise<Created> {
  const { urls, accountId, service, spender } = draft;
  const isIndex = draft.kind === "index";
  const cost = costOf(isIndex ? draft.mode : "check", urls.length);
  const id = newProjectId();
  const name = draft.name || new URL(urls.at(0)).hostname;
  const description = `${urls.length} URLs, ${isIndex ? draft.mode : "check"}`;
  // First, since a conflict on the account's row makes this transaction wait or start again: nothing is lost by then.
  const balance = await spendCredits(tx, {
    accountId,
    credits: cost,
    source: id,
    projectId: id,
    description,
    now: draft.now,
    spender,
    digest: () => digestOf(draft),
    purpose: () => purposeOf(draft, { name, description }),
  });
  const [project] = await tx.q
    .insert(tx.t.projects)
    .values({
      id,
      bucket: bucketOf(accountId),
      accountId,
      kind: draft.kind,
      name,
      mode: isIndex ? draft.mode : null,
      bing: isIndex && draft.bing,
      yandex: isIndex && draft.yandex,
      dripDays: isIndex ? draft.dripDays : 0,
      sitemapUrl: (isIndex && draft.sitemapUrl) || null,
      parentId: (isIndex && draft.parentId) || null,
      status: "active",
      price: isIndex ? COSTS[draft.mode] : 0,
      total: urls.length,
      waiting: urls.length,
      checking: 0,
      indexed: 0,
      notIndexed: 0,
      failed: 0,
      creditsSpent: cost,
      creditsReturned: 0,
      skipIndexed: isIndex && draft.skipIndexed === true,
      credential: spender ? creatorOf(spender.principal) : OPERATOR,
      createdAt: service,
      completedAt: null,
    })
    .returning();
  await tx.insertLinks(project!, urls);
  await tx.insertSteps(firstSteps(project!, isIndex && draft.preflight === true));
  if (isIndex) await tx.q.insert(tx.t.urlSets).values({ projectNo: project!.no, accountId, hashes: urls.hashes });
  return { project: project!, balance };
}

/**
 * The slot of a link in a drip over `days` (docs/rules.md rule 4): S = min(n, 24·days) slots, link i in slot ⌊i·S/n⌋.
 * @returns the first position of every slot, and n as the end of the last
 */
export function dripSlots(total: number, days: number): number[] {
  const slots = days === 0 ? 1 : Math.min(total, 24 * days);
  const starts = Array.from({ length: slots }, (_, slot) => Math.ceil((slot * total) / slots));
  return [...starts, total];
}

/** When link `position` is due to be sent, in service time. */
export function scheduledAt(project: ProjectRow, position: number): number {
  const slots = project.dripDays === 0 ? 1 : Math.min(project.total, 24 * project.dripDays);
  return slotDue(project, Math.floor((position * slots) / project.total), slots);
}

function slotDue({ createdAt, dripDays }: ProjectRow, slot: number, slots: number): number {
  return createdAt + Math.floor((slot * dripDays * DAY) / 1000 / slots) * 1000;
}

/** The lanes of the engines that the project is submitted to. */
export function lanesOf(project: ProjectRow): Lane[] {
  return LANES.filter((lane) => lane === "google" || project[lane]);
}

/**
 * The first steps. With a preflight or a check before sending, other lanes begin after it, since a page that it drops is sent
 * to no engine.
 */
function firstSteps(project: ProjectRow, preflight: boolean): NewStep[] {
  const starts = dripSlots(project.total, project.dripDays);
  const lanes: Lane[] = preflight || project.skipIndexed ? ["google"] : lanesOf(project);
  const steps: NewStep[] = [];
  for (let slot = 0; slot + 1 < starts.length; slot++) {
    const dueAt = slotDue(project, slot, starts.length - 1);
    for (let first = starts[slot]!; first < starts[slot + 1]!; first += STEP_SIZE) {
      const size = Math.min(STEP_SIZE, starts[slot + 1]! - first);
      const { members } = packRange(first, size);
      for (const lane of lanes) steps.push(firstStep(project, preflight, { lane, dueAt, first, members, size }));
    }
  }
  return steps;
}

function firstStep(
  project: ProjectRow,
  preflight: boolean,
  part: { lane: Lane; dueAt: number; first: number; members: Buffer; size: number },
): NewStep {
  return {
    bucket: project.bucket,
    projectNo: project.no,
    ...firstAction(project, preflight),
    negatives: 0,
    tries: 0,
    availableMs: 0,
    checkedAt: null,
    priority: priorityOf(project, part.lane),
    ...part,
  };
}

/** The preflight comes before the check, since it costs no lookup to find out that a page refuses to be indexed. */
function firstAction({ kind, skipIndexed }: ProjectRow, preflight: boolean): Pick<NewStep, "action" | "stage"> {
  if (kind === "check") return { action: "check", stage: "check" };
  if (preflight) return { action: "preflight", stage: "none" };
  return skipIndexed ? { action: "check", stage: "before_sending" } : { action: "send", stage: "none" };
}

/** Instant projects' Google steps are claimed before anything else. */
export function priorityOf(project: { mode: string | null }, lane: Lane): number {
  return project.mode === "instant" && lane === "google" ? 0 : 1;
}
