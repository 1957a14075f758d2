import { eq, sql } from "drizzle-orm";
import type { Engine, Reader } from "../../../db/engine.ts";
import type { ProjectRow, StepRow } from "../../domain/projects/read.ts";
import { CHECK_RESULTS } from "../../domain/projects/states.ts";
import { type Clock, MINUTE } from "../../platform/clock.ts";
import { unpackPositions } from "../../platform/link-set.ts";
import type { SetAttributes } from "../../platform/telemetry.ts";
import type { CheckOutcome, Engines, SendBatch, SendOutcome } from "../engines/engine.ts";
import type { ProviderBook } from "../providers/book.ts";
import { AnswerPending, UpstreamFailure } from "../providers/failure.ts";
import { ownedSites } from "../site-verification/sites.ts";
import { completeStep } from "./complete.ts";
import { type CheckedLink, decideCheck, decidePreflight, decideSend, isVerdict } from "./decide.ts";
import type { Health } from "./health.ts";
import { StepJournal } from "./journal.ts";
import { type Member, membersOf } from "./members.ts";
import type { Partition } from "./partition.ts";
import { postpone, prepare, txOptions } from "./prepare.ts";
import { retryWrite } from "./retry-write.ts";

export interface Worker {
  readonly db: Engine;
  readonly clock: Clock;
  readonly engines: Engines;
  readonly health: Health;
  readonly book: ProviderBook;
  /** Adds to the span of the step in hand. */
  readonly setAttributes?: SetAttributes;
}

/**
 * How long pages are looked at in one go before they are sent, in real ms: an instant link waits at most a minute;
 * others take turns, so that one slow host does not keep all hands busy.
 */
const PREFLIGHT_TIME = { instant: 55_000, standard: 5 * MINUTE } as const;
/** How long the pages of links that fell out of the index are looked at. */
const REFUSALS_TIME = 5 * MINUTE;

/**
 * Runs one claimed step: reads its links, calls the upstream, decides, and writes what follows. Upstreams are called
 * outside of any transaction.
 * @throws LeaseLost when another worker has taken the step over; nothing was written then
 */
export async function runStep(worker: Worker, step: StepRow): Promise<void> {
  const { db, clock } = worker;
  const [project] = await projectAt(db).execute({ no: step.projectNo });
  const times = () => ({ service: clock.service(), now: clock.now() });
  const all = await membersOf(db, step);
  const begun = await begunBefore(worker, step);
  const members = begun === "all" ? all : await retryWrite(() => prepare(db, project!, step, all, times(), begun));
  if (!members) return;
  let partition: Partition;
  try {
    partition = await act(worker, project!, step, members);
  } catch (thrown) {
    if (!(thrown instanceof AnswerPending)) throw thrown;
    await retryWrite(() => postpone(db, step, clock.service()));
    return;
  }
  const result = partition.result(members.map((member) => member.position));
  await retryWrite(() => db.tx((tx) => completeStep(tx, project!, step, result, times()), txOptions(project!)));
}

const projectAt = (db: Reader) =>
  db.prepared("project_of_step", ({ q, t: { projects } }) =>
    q
      .select()
      .from(projects)
      .where(eq(projects.no, sql.placeholder("no"))),
  );

function act(worker: Worker, project: ProjectRow, step: StepRow, members: readonly Member[]) {
  if (step.action === "check") return look(worker, project, step, members);
  if (step.action === "preflight") return preflight(worker, project, step, members);
  return send(worker, project, step, members);
}

/** Links of this step that an upstream may have been called for already, by a worker that did not end it. */
async function begunBefore({ db, engines }: Worker, step: StepRow): Promise<"all" | ReadonlySet<number>> {
  if (step.intentAt === null) return new Set();
  if (!engines.submitters[step.lane]?.resume) return "all";
  const { calls } = db.t;
  const rows = await db.q.select().from(calls).where(eq(calls.stepId, step.id));
  return new Set(rows.flatMap(unpackPositions));
}

async function preflight({ engines, clock }: Worker, project: ProjectRow, step: StepRow, members: readonly Member[]) {
  const deadline = clock.now() + PREFLIGHT_TIME[modeOf(project)];
  const reports = await engines.pages.check(
    members.map(({ link }) => link.url),
    deadline,
  );
  const looked = members.map((member, index) => ({ ...member, report: reports[index]! }));
  return decidePreflight(project, step, looked, clock.service());
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
  const outcomes = await handOver(worker, step, batch);
  worker.setAttributes?.({ provider: providersIn(outcomes) });
  const sent = members.map((member, index) => ({ ...member, outcome: outcomes[index]! }));
  return decideSend(project, step, sent, worker.clock.service());
}

function modeOf(project: ProjectRow): "standard" | "instant" {
  return project.mode === "instant" ? "instant" : "standard";
}

/** The sandbox sends for every host, so nobody has to be asked there. */
async function sitesOf({ db, engines }: Worker, project: ProjectRow) {
  return engines.tracksProviders ? ownedSites(db, project.accountId) : () => null;
}

/** Calls the engine, unless a call of this step may have been made already: then asks what became of it. */
async function handOver({ engines, health, clock }: Worker, step: StepRow, batch: SendBatch): Promise<SendOutcome[]> {
  const submitter = engines.submitters[step.lane];
  const all = (outcome: SendOutcome) => batch.urls.map(() => outcome);
  if (!submitter) return all({ kind: "skipped", provider: "none", detail: "no_provider" });
  const uncertain = (provider: string) => all({ kind: "uncertain", provider, detail: "answer_lost" });
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
    return all({ kind: "deferred", provider, detail: kind, ...(until === undefined ? {} : { until }) });
  }
}

async function look(worker: Worker, project: ProjectRow, step: StepRow, members: readonly Member[]) {
  const { engines, health, clock } = worker;
  const links = members.map(({ link }) => ({ url: link.url, sentAt: link.sentAt }));
  const isUrgent = modeOf(project) === "instant";
  const sites = await sitesOf(worker, project);
  const outcomes = await engines.verifier.check({ links, asOf: step.dueAt, isUrgent, sites });
  worker.setAttributes?.({ provider: providersIn(outcomes), ...countsOf(outcomes) });
  if (!engines.tracksProviders) health.checked(outcomes, clock.now());
  const seen: CheckedLink[] = members.map(({ position, link }, index) => ({
    position,
    link,
    outcome: outcomes[index]!,
  }));
  const lost = seen.filter(({ link, outcome }) => link.state === "indexed" && isVerdict(step, outcome));
  if (lost.length > 0) {
    const urls = lost.map(({ link }) => link.url);
    const reports = await engines.pages.check(urls, clock.now() + REFUSALS_TIME);
    lost.forEach((one, index) => {
      const { refusal } = reports[index]!;
      // A host that left the public web asks for nothing.
      one.refusal = refusal === "host_not_public" ? null : refusal;
    });
  }
  return decideCheck(project, step, seen, clock.service());
}

/** Names of ours, never a host's. */
function providersIn(outcomes: readonly { readonly provider: string }[]): string {
  return [...new Set(outcomes.map(({ provider }) => provider))].sort().join(",");
}

function countsOf(outcomes: readonly CheckOutcome[]): Readonly<Record<string, number>> {
  const counts = CHECK_RESULTS.map(
    (result) => [result, outcomes.filter((one) => one.result === result).length] as const,
  );
  return Object.fromEntries(counts);
}
