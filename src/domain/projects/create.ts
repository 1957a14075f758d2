import type { NewStep, Tx } from "../../../db/engine.ts";
import { CHECK_DAYS } from "../../platform/check-days.ts";
import { DAY } from "../../platform/clock.ts";
import { bucketOf, newProjectId } from "../../platform/ids.ts";
import { packRange } from "../../platform/link-set.ts";
import { bookedAs, doerOf, OPERATOR } from "../../platform/principal.ts";
import { COSTS, costOf } from "../ledger/costs.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
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
  const plan = planOf(draft);
  // First, since a conflict on the account's row makes this transaction wait or start again: nothing is lost by then.
  const balance = await spendFor(tx, draft, [plan]);
  return { project: await writeProject(tx, draft, plan), balance };
}

/** A project that is to be written. */
export interface Plan {
  readonly id: string;
  readonly name: string;
  readonly credits: number;
  /** For the ledger. */
  readonly description: string;
  /** The experiment of which it is an arm. */
  readonly experimentId: string | null;
}

export function planOf(draft: IndexDraft | CheckDraft, experimentId: string | null = null): Plan {
  const { urls } = draft;
  const kind = kindOf(draft);
  return {
    id: newProjectId(),
    name: draft.name || new URL(urls.at(0)).hostname,
    credits: costOf(kind, urls.length),
    description: `${urls.length} URLs, ${kind === "holdout" ? "held out" : kind}`,
    experimentId,
  };
}

function kindOf(draft: IndexDraft | CheckDraft) {
  if (draft.kind === "index") return draft.mode;
  return draft.isHeldOut ? "holdout" : "check";
}

/**
 * Spends what the projects of one call cost together. @param draft what was asked for @returns the balance after it
 * @throws as `spendCredits`
 */
export async function spendFor(
  tx: Tx,
  draft: IndexDraft | CheckDraft,
  plans: readonly [Plan, ...Plan[]],
): Promise<number> {
  const [first, ...others] = plans;
  const description = plans.map((plan) => plan.description).join("; ");
  const costOfPlan = (plan: Plan) => ({ projectId: plan.id, credits: plan.credits, description: plan.description });
  return spendCredits(tx, {
    accountId: draft.accountId,
    now: draft.now,
    costs: [costOfPlan(first), ...others.map(costOfPlan)],
    spender: draft.spender,
    digest: () => digestOf(draft),
    purpose: () => purposeOf(draft, { name: first.name, description }),
  });
}

/** Writes a project that is paid, with its links and their first steps. */
export async function writeProject(
  tx: Tx,
  draft: IndexDraft | CheckDraft,
  { id, name, credits, experimentId }: Plan,
): Promise<ProjectRow> {
  const { urls, accountId, service, spender } = draft;
  const isIndex = draft.kind === "index";
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
      dripDays: draft.dripDays ?? 0,
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
      creditsSpent: credits,
      creditsReturned: 0,
      skipIndexed: isIndex && draft.skipIndexed === true,
      experimentId,
      credential: spender ? bookedAs(spender.principal) : OPERATOR,
      personId: spender?.principal.personId ?? null,
      createdAt: service,
      completedAt: null,
    })
    .returning();
  await tx.insertLinks(project!, urls);
  await tx.insertSteps(firstSteps(project!, draft.preflight === true));
  // Held pages count as submitted for as long as they are held.
  if (isIndex || draft.isHeldOut)
    await tx.q.insert(tx.t.urlSets).values({ projectNo: project!.no, accountId, hashes: urls.hashes });
  const kind = isIndex ? "project_made" : "check_made";
  const doer = spender ? doerOf(spender.principal) : {};
  await recordSecurityEvent(tx, { accountId, ...doer, kind, subject: name, target: id, now: draft.now });
  return project!;
}

/** Whether its pages are held out of an experiment: looked up on the days of the checks, and never sent. */
export function isHeldOut({ kind, experimentId }: Pick<ProjectRow, "kind" | "experimentId">): boolean {
  return kind === "check" && experimentId !== null;
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
    const sendAt = slotDue(project, slot, starts.length - 1);
    const dueAt = isHeldOut(project) && !preflight ? sendAt + CHECK_DAYS.first * DAY : sendAt;
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
function firstAction(project: ProjectRow, preflight: boolean): Pick<NewStep, "action" | "stage"> {
  if (preflight) return { action: "preflight", stage: "none" };
  if (project.kind === "check") return { action: "check", stage: isHeldOut(project) ? "day_4" : "check" };
  return project.skipIndexed ? { action: "check", stage: "before_sending" } : { action: "send", stage: "none" };
}

/** Instant projects' Google steps are claimed before anything else. */
export function priorityOf(project: { mode: string | null }, lane: Lane): number {
  return project.mode === "instant" && lane === "google" ? 0 : 1;
}
