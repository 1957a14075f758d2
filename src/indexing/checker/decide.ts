import type { WorkLink } from "../../../db/engine.ts";
import { isHeldOut, scheduledAt } from "../../domain/projects/create.ts";
import { accessFact, crawlFact } from "../../domain/projects/new-facts.ts";
import type { ProjectRow, StepRow } from "../../domain/projects/read.ts";
import { notIndexedReason } from "../../domain/projects/reasons.ts";
import type { CheckStage } from "../../domain/projects/states.ts";
import { DAY, HOUR, MINUTE } from "../../platform/clock.ts";
import type { CheckOutcome, SendOutcome } from "../engines/engine.ts";
import { sendToAll } from "./decide-preflight.ts";
import type { Member } from "./members.ts";
import { type NextStep, Partition } from "./partition.ts";
import {
  day4Check,
  day14Check,
  finalCheck,
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

function day4({ project, step, now, partition }: CheckContext, { position, link, outcome }: CheckedLink): void {
  const sentAt = sentAtOf(project, position, link);
  if (outcome.result === "indexed") becomeIndexed(partition, position, link, now);
  if (outcome.result === "indexed" || link.state === "indexed") {
    partition.next(position, day14Check(sentAt));
  } else if (outcome.result === "unknown") {
    const tries = step.tries + 1;
    const dueAt = repeatDay4(sentAt, now, tries);
    const retry: NextStep = { action: "check", stage: "day_4", dueAt: dueAt ?? 0, tries, negatives: step.negatives };
    partition.next(position, dueAt === null ? day14Check(sentAt) : retry);
  } else {
    becomeLookedUp(partition, position, link);
    if (!isVerdict(step, outcome))
      partition.next(position, { action: "check", stage: "day_4", dueAt: secondCheck(now), negatives: 1 });
    else if (isHeldOut(project)) partition.next(position, day14Check(sentAt));
    else partition.next(position, { action: "resend", stage: "none", dueAt: now });
  }
}

/** When a link was sent, or a held one would have been. */
function sentAtOf(project: ProjectRow, position: number, { sentAt }: WorkLink): number {
  return sentAt ?? scheduledAt(project, position);
}

function day14(
  { project, step, now, availableMs, partition }: CheckContext,
  { position, link, outcome, refusal }: CheckedLink,
): void {
  if (outcome.result === "indexed") {
    becomeIndexed(partition, position, link, now);
    partition.done(position);
  } else if (outcome.result === "unknown") {
    const isStillIndexed = link.state === "indexed" && step.negatives === 0;
    const tries = step.tries + 1;
    const dueAt = isStillIndexed ? null : repeatDay14(sentAtOf(project, position, link), now, tries, availableMs);
    if (dueAt !== null) {
      const retry: NextStep = { action: "check", stage: "day_14", dueAt, tries, negatives: step.negatives };
      partition.next(position, { ...retry, availableMs, checkedAt: now });
      return;
    }
    // A held page was not sent, so that nothing but its lookups can come back: it fails, as in a check.
    const to = isHeldOut(project) ? "failed" : "not_indexed";
    if (!isStillIndexed)
      partition.move(position, { from: link.state, to, patch: { error: "unverifiable", indexedAt: null } });
    partition.done(position);
  } else if (!isVerdict(step, outcome)) {
    becomeLookedUp(partition, position, link);
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
    becomeLookedUp(partition, position, link);
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
  if (link.state === "indexed") return;
  partition.move(position, { from: link.state, to: "indexed", patch: { indexedAt: now } });
}

/** A link that is checked without being sent waits until somebody has looked. */
function becomeLookedUp(partition: Partition, position: number, { state }: WorkLink): void {
  if (state === "waiting") partition.move(position, { from: "waiting", to: "checking" });
}

function becomeNotIndexed(partition: Partition, position: number, link: WorkLink, error: string): void {
  partition.move(position, { from: link.state, to: "not_indexed", patch: { error, indexedAt: null } });
}

function checkAfterSending({ mode }: ProjectRow, sentAt: number): NextStep {
  const early = mode === "instant" ? nextEarlyCheck(sentAt, sentAt, false) : null;
  return early === null ? day4Check(sentAt) : { action: "check", stage: "early", dueAt: early };
}
