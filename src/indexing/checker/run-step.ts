import { eq, sql } from "drizzle-orm";
import type { Engine, Reader } from "../../../db/engine.ts";
import type { ProjectRow, StepRow } from "../../domain/projects/read.ts";
import { CHECK_RESULTS } from "../../domain/projects/states.ts";
import { isRecheck } from "../../domain/watches/recheck.ts";
import { type Clock, MINUTE, type Times } from "../../platform/clock.ts";
import { unpackPositions } from "../../platform/link-set.ts";
import type { LoopQueue } from "../../platform/loop-queue.ts";
import type { SetAttributes } from "../../platform/telemetry.ts";
import type { CheckOutcome, Engines, SendBatch, SendOutcome } from "../engines/engine.ts";
import type { ProviderBook } from "../providers/book.ts";
import { AnswerPending, UpstreamFailure } from "../providers/failure.ts";
import { ownedSites } from "../sites/sites.ts";
import { checkInBing, firstBingCheck } from "./bing-checks.ts";
import { completeStep } from "./complete.ts";
import { type CheckedLink, decideCheck, decideSend, isVerdict } from "./decide.ts";
import { decidePreflight } from "./decide-preflight.ts";
import type { Health } from "./health.ts";
import { StepJournal } from "./journal.ts";
import { LeaseLost } from "./lease.ts";
import { type Member, membersOf } from "./members.ts";
import type { Partitioned } from "./partition.ts";
import { postpone, prepare, txOptions } from "./prepare.ts";
import { retryWrite } from "./retry-write.ts";

export interface Worker {
  readonly db: Engine;
  readonly clock: Clock;
  readonly engines: Engines;
  readonly health: Health;
  readonly book: ProviderBook;
  /** Shared by all steps that run at once, so that together they do not hold the event loop for long. */
  readonly loop: LoopQueue;
  /** Adds attributes to the step's span. */
  readonly setAttributes?: SetAttributes;
}

/**
 * Time limit of one preflight, in real ms. An instant link waits at most a minute. The limit for other links keeps
 * slow hosts from occupying all workers.
 */
const PREFLIGHT_MS = { instant: 55_000, standard: 5 * MINUTE } as const;
/** Time limit for fetching the pages of links that are no longer indexed, in real ms. */
const REFUSALS_MS = 5 * MINUTE;

/**
 * Runs one claimed step: reads its links, calls the upstream, decides what follows and writes it. Upstreams are called
 * outside of transactions.
 * @throws LeaseLost when another worker has taken the step over; nothing is written then
 */
export async function runStep(worker: Worker, step: StepRow): Promise<void> {
  const { db, clock, loop } = worker;
  await loop.wait();
  const [project] = await projectAt(db).execute({ no: step.projectNo });
  // The account was deleted since the step was claimed.
  if (!project) throw new LeaseLost(step);
  const times = () => ({ service: clock.service(), now: clock.now() });
  const result = await resultOf(worker, project, step, times);
  if (result)
    await retryWrite(() => db.tx((tx) => completeStep(tx, project, step, result, times()), txOptions(project)));
}

/**
 * Finds out what becomes of the links of a step. The links themselves are not returned, so that a step that waits to
 * be written keeps none of them in memory. @returns null when nothing is to be written, or everything is written
 * already
 */
async function resultOf(
  worker: Worker,
  project: ProjectRow,
  step: StepRow,
  times: () => Times,
): Promise<Partitioned | null> {
  const { db, clock, loop } = worker;
  const claimed = await membersOf(db, step);
  const begun = await membersWithCalls(worker, step);
  const members =
    begun === "all" ? claimed : await retryWrite(() => prepare(db, project, step, claimed, times(), begun));
  if (!members) return null;
  await loop.wait();
  try {
    const partition = await act(worker, project, step, members);
    return partition.result(members.map((member) => member.position));
  } catch (thrown) {
    if (!(thrown instanceof AnswerPending)) throw thrown;
    await retryWrite(() => postpone(db, step, clock.service()));
    return null;
  }
}

const projectAt = (db: Reader) =>
  db.prepared("project_of_step", ({ q, t: { projects } }) =>
    q
      .select()
      .from(projects)
      .where(eq(projects.no, sql.placeholder("no"))),
  );

function act(worker: Worker, project: ProjectRow, step: StepRow, members: readonly Member[]) {
  if (step.action === "check" && step.lane === "bing") return bingCheck(worker, project, step, members);
  if (step.action === "check") return check(worker, project, step, members);
  if (step.action === "preflight") return preflight(worker, project, step, members);
  return send(worker, project, step, members);
}

/** The links of this step for which an earlier worker may have called an upstream without finishing the step. */
async function membersWithCalls({ db, engines }: Worker, step: StepRow): Promise<"all" | ReadonlySet<number>> {
  if (step.intentAt === null) return new Set();
  if (!engines.submitters[step.lane]?.resume) return "all";
  const { calls } = db.t;
  const rows = await db.q.select().from(calls).where(eq(calls.stepId, step.id));
  return new Set(rows.flatMap(unpackPositions));
}

async function preflight({ engines, clock }: Worker, project: ProjectRow, step: StepRow, members: readonly Member[]) {
  const deadline = clock.now() + PREFLIGHT_MS[modeOf(project)];
  const reports = await engines.pages.check(
    members.map(({ link }) => link.url),
    deadline,
  );
  const fetched = members.map((member, index) => ({ ...member, report: reports[index]! }));
  return decidePreflight(project, step, fetched, clock.service());
}

async function send(worker: Worker, project: ProjectRow, step: StepRow, members: readonly Member[]) {
  const batch: SendBatch = {
    urls: members.map(({ link }) => link.url),
    asOf: step.dueAt,
    mode: modeOf(project),
    sitemapUrl: project.sitemapUrl,
    sites: await sitesOf(worker, project),
    journal: new StepJournal(worker, step, members),
  };
  const outcomes = await submit(worker, step, batch);
  worker.setAttributes?.({ provider: providersIn(outcomes) });
  const now = worker.clock.service();
  const lookup = step.lane === "bing" ? (worker.engines.bing ?? null) : null;
  const sites = lookup ? await ownedSites(worker.db, project.accountId) : batch.sites;
  const sent = members.map((member, index) => {
    const outcome = outcomes[index]!;
    return { ...member, outcome, followUp: firstBingCheck(lookup, { url: member.link.url, outcome, sites, now }) };
  });
  return decideSend(project, step, sent, now);
}

async function bingCheck({ db, engines }: Worker, project: ProjectRow, step: StepRow, members: readonly Member[]) {
  return checkInBing(engines.bing ?? null, step, members, await ownedSites(db, project.accountId));
}

function modeOf(project: ProjectRow): "standard" | "instant" {
  return project.mode === "instant" ? "instant" : "standard";
}

/** The account's verified sites. The sandbox submits for every host and needs none. */
async function sitesOf({ db, engines }: Worker, project: ProjectRow) {
  return engines.tracksProviders ? ownedSites(db, project.accountId) : () => null;
}

/**
 * Calls the engine. If a call of this step may have been made already, it looks up what became of that call instead.
 */
async function submit({ engines, health, clock }: Worker, step: StepRow, batch: SendBatch): Promise<SendOutcome[]> {
  const submitter = engines.submitters[step.lane];
  const forAll = (outcome: SendOutcome) => batch.urls.map(() => outcome);
  if (!submitter) return forAll({ kind: "skipped", provider: "none", detail: "no_provider" });
  const uncertain = (provider: string) => forAll({ kind: "uncertain", provider, detail: "answer_lost" });
  if (step.intentAt !== null) return (await submitter.resume?.(batch)) ?? uncertain("unknown");
  try {
    const outcomes = await submitter.send(batch);
    if (!engines.tracksProviders) health.sent(outcomes, clock.now());
    return outcomes;
  } catch (thrown) {
    if (!(thrown instanceof UpstreamFailure)) throw thrown;
    const { provider, kind, until } = thrown;
    health.failed(provider, kind, clock.now());
    if (thrown.mayHaveArrived) return uncertain(provider);
    return forAll({ kind: "deferred", provider, detail: kind, ...(until === undefined ? {} : { until }) });
  }
}

async function check(worker: Worker, project: ProjectRow, step: StepRow, members: readonly Member[]) {
  const { engines, health, clock } = worker;
  const links = members.map(({ link }) => ({ url: link.url, sentAt: link.sentAt }));
  const isUrgent = modeOf(project) === "instant";
  const sites = await sitesOf(worker, project);
  const outcomes = await engines.verifier.check({ links, asOf: step.dueAt, isUrgent, sites });
  worker.setAttributes?.({ provider: providersIn(outcomes), ...countsOf(outcomes) });
  if (!engines.tracksProviders) health.checked(outcomes, clock.now());
  const checked: CheckedLink[] = members.map(({ position, link }, index) => ({
    position,
    link,
    outcome: outcomes[index]!,
  }));
  const decided = checked.filter(({ outcome }) => isVerdict(step, outcome));
  const wereIndexed = decided.length > 0 && (await isRecheck(worker.db, project));
  const lost = decided.filter(({ link }) => wereIndexed || link.state === "indexed");
  if (lost.length > 0) {
    const urls = lost.map(({ link }) => link.url);
    const reports = await engines.pages.check(urls, clock.now() + REFUSALS_MS);
    lost.forEach((one, index) => {
      const { refusal } = reports[index]!;
      // Being no longer public is not a request to be left out of the index.
      one.refusal = refusal === "host_not_public" ? null : refusal;
    });
  }
  return decideCheck(project, step, checked, clock.service());
}

/** The names of the providers, so that a span's attribute comes from a bounded set. */
function providersIn(outcomes: readonly { readonly provider: string }[]): string {
  return [...new Set(outcomes.map(({ provider }) => provider))].sort().join(",");
}

function countsOf(outcomes: readonly CheckOutcome[]): Readonly<Record<string, number>> {
  const counts = CHECK_RESULTS.map(
    (result) => [result, outcomes.filter((one) => one.result === result).length] as const,
  );
  return Object.fromEntries(counts);
}
