import type { WorkLink } from "../../../db/engine.ts";
import { lanesOf, scheduledAt } from "../../domain/projects/create.ts";
import { accessFact, crawlFact } from "../../domain/projects/new-facts.ts";
import type { ProjectRow, StepRow } from "../../domain/projects/read.ts";
import { notIndexedReason } from "../../domain/projects/reasons.ts";
import type { CheckStage } from "../../domain/projects/states.ts";
import { DAY, HOUR, MINUTE } from "../../platform/clock.ts";
import type { CheckOutcome, SendOutcome } from "../engines/engine.ts";
import type { PageReport } from "../preflight/report.ts";
import type { Member } from "./members.ts";
import { type NextStep, Partition } from "./partition.ts";
import {
  finalCheck,
  firstCheck,
  nextEarlyCheck,
  repeatCheck,
  repeatDay4,
  repeatDay14,
  retrySend,
  secondCheck,
} from "./schedule.ts";

/** How long a link waits for a provider that defers it. After that it fails with `no_provider`. */
const SEND_ENDS = 14 * DAY;

const STATUSES = { accepted: "accepted", uncertain: "sent", rejected: "failed", skipped: "skipped" } as const;

/**
 * Decides what follows from submitting links to an engine (docs/rules.md rule 3).
 * @param sent `followUp`: the next step, in the lanes of Bing and Yandex
 * @param now service time
 */
export function decideSend(
  project: ProjectRow,
  step: StepRow,
  sent: readonly (Member & { outcome: SendOutcome; followUp?: NextStep | null })[],
  now: number,
): Partition {
  const partition = new Partition();
  for (const { position, link, outcome, followUp } of sent) {
    const { kind, provider } = outcome;
    if (kind === "deferred" && step.action === "send" && now - scheduledAt(project, position) > SEND_ENDS) {
      partition.delivered(position, { status: "skipped", provider, detail: "gave_up" });
      if (step.lane === "google")
        partition.move(position, { from: "waiting", to: "failed", patch: { error: "no_provider" } });
      partition.done(position);
      continue;
    }
    if (kind !== "deferred") {
      partition.delivered(position, { status: STATUSES[kind], provider, detail: outcome.detail ?? null });
    }
    if (kind === "deferred") {
      const dueAt = retrySend(now, step.tries + 1, outcome.until);
      const retry: NextStep = { action: step.action, stage: "none", dueAt, tries: step.tries + 1 };
      const isTooLate = step.action === "resend" && dueAt >= finalCheck(link.sentAt!);
      partition.next(position, isTooLate ? day14Check(link.sentAt!) : retry);
    } else if (step.lane !== "google") {
      if (followUp) partition.next(position, followUp);
      else partition.done(position);
    } else if (step.action === "resend") {
      partition.next(position, day14Check(link.sentAt!));
    } else if (kind === "accepted" || kind === "uncertain") {
      partition.move(position, { from: "waiting", to: "checking", patch: { sentAt: now } });
      partition.next(position, checkAfterSending(project, now));
    } else {
      const error = kind === "rejected" ? "provider_rejected" : "no_provider";
      partition.move(position, { from: "waiting", to: "failed", patch: { error } });
      partition.done(position);
    }
  }
  return partition;
}

/** How often a page is tried that could not be fetched in time. After that it is sent without a preflight. */
const PREFLIGHT_TRIES = 24;

/** Decides what follows from a preflight. @param now service time */
export function decidePreflight(
  project: ProjectRow,
  step: StepRow,
  fetched: readonly (Member & { report: PageReport })[],
  now: number,
): Partition {
  const partition = new Partition();
  for (const { position, report } of fetched) {
    if (report.access) partition.fact(position, accessFact(report.access, report.changedAt));
    const warnings = report.warnings.length > 0 ? { warnings: report.warnings.join(" ") } : {};
    if (report.refusal) {
      partition.move(position, { from: "waiting", to: "failed", patch: { error: report.refusal, ...warnings } });
      partition.done(position);
      continue;
    }
    const isFetched = !report.warnings.includes("not_looked_at");
    if (!isFetched && project.mode !== "instant" && step.tries + 1 < PREFLIGHT_TRIES) {
      const tries = step.tries + 1;
      partition.next(position, { action: "preflight", stage: "none", dueAt: retrySend(now, 1, undefined), tries });
      continue;
    }
    if (report.warnings.length > 0) partition.move(position, { from: "waiting", to: "waiting", patch: warnings });
    if (project.skipIndexed) partition.next(position, { action: "check", stage: "before_sending", dueAt: now });
    else sendToAll(project, partition, position, now);
  }
  return partition;
}

/** Sends the link to every engine of its project. The other lanes have waited for its preflight or check. */
function sendToAll(project: ProjectRow, partition: Partition, position: number, now: number): void {
  const send: NextStep = { action: "send", stage: "none", dueAt: now };
  partition.next(position, send);
  for (const lane of lanesOf(project)) if (lane !== "google") partition.nextInLane(position, lane, send);
}

/** A link with the result of its check. `refusal` says why its page refuses indexing, if the page was fetched too. */
export type CheckedLink = Member & { readonly outcome: CheckOutcome; refusal?: string | null };

/** Longest interval between two tries of the final check. Time without checks does not count as time with a verifier available. */
const LONGEST_INTERVAL = 6 * HOUR + MINUTE;

/** Decides what follows from a check (docs/rules.md rule 5, docs/rules.md rule 6, docs/rules.md rule 7). @param now service time */
export function decideCheck(
  project: ProjectRow,
  step: StepRow,
  checked: readonly CheckedLink[],
  now: number,
): Partition {
  const partition = new Partition();
  const since = step.checkedAt === null ? 0 : Math.min(now - step.checkedAt, LONGEST_INTERVAL);
  const withAvailable = (availableMs: number): CheckContext => ({ project, step, now, availableMs, partition });
  const available = withAvailable(step.availableMs + since);
  const unavailable = withAvailable(step.availableMs);
  for (const one of checked) {
    const { outcome } = one;
    partition.observed(one.position, {
      result: outcome.result,
      provider: outcome.provider,
      method: outcome.method,
      reason: one.refusal ?? outcome.reason ?? null,
      counts: outcome.counts ?? null,
      isVerdict: outcome.result === "indexed" || isVerdict(step, outcome) || undefined,
    });
    if (outcome.access) partition.fact(one.position, accessFact(outcome.access));
    if (outcome.crawl) partition.fact(one.position, crawlFact("url_inspection", outcome.crawl), one.link.sentAt);
    BY_STAGE[step.stage]!(outcome.available ? available : unavailable, one);
  }
  return partition;
}

/** Whether this result completes the verdict not_indexed: the index itself says so, or it is the second negative in a row. */
export function isVerdict(step: StepRow, outcome: CheckOutcome): boolean {
  return outcome.result === "not_indexed" && (outcome.authoritative === true || step.negatives > 0);
}

interface CheckContext {
  readonly project: ProjectRow;
  readonly step: StepRow;
  readonly now: number;
  readonly availableMs: number;
  readonly partition: Partition;
}

const BY_STAGE: Partial<Record<CheckStage, (context: CheckContext, checked: CheckedLink) => void>> = {
  early,
  day_4: day4,
  day_14: day14,
  check: indexCheck,
  before_sending: beforeSending,
};

/**
 * Decides what follows from a check before sending. A page that Google has is not sent. One clean negative is enough
 * to send a page, because no verdict depends on it. Where no lookup gives a reliable answer, an instant link is sent
 * at once, and any other after two days (docs/rules.md rule 5).
 */
function beforeSending({ project, step, now, partition }: CheckContext, { position, outcome }: CheckedLink): void {
  if (outcome.result === "indexed") {
    partition.move(position, { from: "waiting", to: "failed", patch: { error: "already_indexed" } });
    partition.done(position);
    return;
  }
  const tries = step.tries + 1;
  const isOpen = outcome.result === "unknown" && project.mode !== "instant";
  const dueAt = isOpen ? repeatCheck(scheduledAt(project, position), now, tries) : null;
  if (dueAt === null) sendToAll(project, partition, position, now);
  else partition.next(position, { action: "check", stage: "before_sending", dueAt, tries });
}

function early({ now, partition }: CheckContext, { position, link, outcome }: CheckedLink): void {
  if (outcome.result === "indexed") becomeIndexed(partition, position, link, now);
  const isUnknown = outcome.result === "unknown";
  const dueAt = outcome.result === "indexed" ? null : nextEarlyCheck(link.sentAt!, now, isUnknown);
  partition.next(position, dueAt === null ? day4Check(link.sentAt!) : { action: "check", stage: "early", dueAt });
}

function day4({ step, now, partition }: CheckContext, { position, link, outcome }: CheckedLink): void {
  if (outcome.result === "indexed") becomeIndexed(partition, position, link, now);
  if (outcome.result === "indexed" || link.state === "indexed") {
    partition.next(position, day14Check(link.sentAt!));
  } else if (outcome.result === "unknown") {
    const tries = step.tries + 1;
    const dueAt = repeatDay4(link.sentAt!, now, tries);
    const retry: NextStep = { action: "check", stage: "day_4", dueAt: dueAt ?? 0, tries, negatives: step.negatives };
    partition.next(position, dueAt === null ? day14Check(link.sentAt!) : retry);
  } else if (isVerdict(step, outcome)) {
    partition.next(position, { action: "resend", stage: "none", dueAt: now });
  } else {
    partition.next(position, { action: "check", stage: "day_4", dueAt: secondCheck(now), negatives: 1 });
  }
}

function day14(
  { step, now, availableMs, partition }: CheckContext,
  { position, link, outcome, refusal }: CheckedLink,
): void {
  if (outcome.result === "indexed") {
    becomeIndexed(partition, position, link, now);
    partition.done(position);
  } else if (outcome.result === "unknown") {
    const isStillIndexed = link.state === "indexed" && step.negatives === 0;
    const tries = step.tries + 1;
    const dueAt = isStillIndexed ? null : repeatDay14(link.sentAt!, now, tries, availableMs);
    if (dueAt !== null) {
      const retry: NextStep = { action: "check", stage: "day_14", dueAt, tries, negatives: step.negatives };
      partition.next(position, { ...retry, availableMs, checkedAt: now });
      return;
    }
    if (!isStillIndexed) becomeNotIndexed(partition, position, link, "unverifiable");
    partition.done(position);
  } else if (!isVerdict(step, outcome)) {
    const retry: NextStep = { action: "check", stage: "day_14", dueAt: secondCheck(now), negatives: 1 };
    partition.next(position, { ...retry, tries: step.tries, availableMs, checkedAt: now });
  } else {
    const error = notIndexedReason(link.state, outcome.reason);
    if (link.state !== "indexed") becomeNotIndexed(partition, position, link, error);
    // An indexed link stays indexed when its page refuses indexing later: the service did its part.
    else if (refusal) partition.move(position, { from: "indexed", to: "indexed", dropped: refusal });
    else
      partition.move(position, {
        from: "indexed",
        to: "not_indexed",
        patch: { error, indexedAt: null },
        dropped: error,
      });
    partition.done(position);
  }
}

function indexCheck(
  { project, step, now, partition }: CheckContext,
  { position, link, outcome, refusal }: CheckedLink,
): void {
  const from = link.state;
  if (outcome.result === "indexed") {
    partition.move(position, { from, to: "indexed", patch: { indexedAt: now } });
    partition.done(position);
  } else if (isVerdict(step, outcome)) {
    const error = refusal ?? notIndexedReason(from, outcome.reason);
    partition.move(position, { from, to: "not_indexed", patch: { error } });
    partition.done(position);
  } else if (outcome.result === "not_indexed") {
    if (from === "waiting") partition.move(position, { from, to: "checking" });
    partition.next(position, {
      action: "check",
      stage: "check",
      dueAt: secondCheck(now),
      negatives: 1,
      tries: step.tries,
    });
  } else {
    const tries = step.tries + 1;
    const dueAt = repeatCheck(project.createdAt, now, tries);
    if (dueAt === null) {
      partition.move(position, { from, to: "failed", patch: { error: "unverifiable" } });
      partition.done(position);
    } else partition.next(position, { action: "check", stage: "check", dueAt, tries, negatives: step.negatives });
  }
}

function becomeIndexed(partition: Partition, position: number, link: WorkLink, now: number): void {
  if (link.state === "checking")
    partition.move(position, { from: "checking", to: "indexed", patch: { indexedAt: now } });
}

function becomeNotIndexed(partition: Partition, position: number, link: WorkLink, error: string): void {
  partition.move(position, { from: link.state, to: "not_indexed", patch: { error, indexedAt: null } });
}

function checkAfterSending({ mode }: ProjectRow, sentAt: number): NextStep {
  const early = mode === "instant" ? nextEarlyCheck(sentAt, sentAt, false) : null;
  return early === null ? day4Check(sentAt) : { action: "check", stage: "early", dueAt: early };
}

function day4Check(sentAt: number): NextStep {
  return { action: "check", stage: "day_4", dueAt: firstCheck(sentAt) };
}

function day14Check(sentAt: number): NextStep {
  return { action: "check", stage: "day_14", dueAt: finalCheck(sentAt) };
}
