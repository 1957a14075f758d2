import { asc, eq } from "drizzle-orm";
import type { Engine, Reader, WorkLink } from "../../db/engine.ts";
import type { Clock } from "../clock.ts";
import { type Engines, type SendBatch, type SendOutcome, UpstreamFailure } from "../engines/engine.ts";
import { linkKey } from "../ids.ts";
import { hasPlace, unpackPlaces } from "../places.ts";
import type { ProjectRow, StepRow } from "../projects/read.ts";
import { CHECK, INDEXED, LANES } from "../projects/states.ts";
import { completeStep } from "./complete.ts";
import { decideLook, decideSend, isVerdict, type Member, type Seen } from "./decide.ts";
import type { Health } from "./health.ts";
import { prepare } from "./prepare.ts";

export interface Worker {
  readonly db: Engine;
  readonly clock: Clock;
  readonly engines: Engines;
  readonly health: Health;
}

/**
 * Does one claimed step, from reading its links to writing what they came to. The upstream is called outside
 * any transaction.
 * @throws LeaseLost when another worker has taken the step over; nothing was written then
 */
export async function workStep(worker: Worker, step: StepRow): Promise<void> {
  const { db, clock } = worker;
  const { projects } = db.t;
  const [project] = await db.q.select().from(projects).where(eq(projects.no, step.projectNo));
  const times = () => ({ service: clock.service(), now: clock.now() });
  const all = await membersOf(db, step);
  const members = step.intentAt === null ? await prepare(db, project!, step, all, times()) : all;
  if (!members) return;
  const partition =
    step.action === CHECK ? await look(worker, project!, step, members) : await send(worker, project!, step, members);
  const result = partition.result(members.map((member) => member.place));
  await db.tx((tx) => completeStep(tx, project!, step, result, times()));
}

async function membersOf(db: Reader, step: StepRow): Promise<Member[]> {
  const zero = linkKey(step.projectNo, 0);
  const places = unpackPlaces(step);
  const last = places.at(-1)!;
  // Dense sets are read as one range; in thin ones the range would be mostly others' links.
  const isDense = last - step.first < 4 * places.length;
  const rows = isDense
    ? await db.linksBetween(zero + step.first, zero + last)
    : await linksAt(
        db,
        places.map((place) => zero + place),
      );
  const members: Member[] = [];
  for (const link of rows) {
    const place = link.id - zero;
    if (hasPlace(step, place)) members.push({ place, link });
  }
  return members;
}

async function linksAt(db: Reader, ids: readonly number[]): Promise<WorkLink[]> {
  const { links } = db.t;
  const { id, url, state, sentAt, cancelledAt } = links;
  return db.q.select({ id, url, state, sentAt, cancelledAt }).from(links).where(db.among(id, ids)).orderBy(asc(id));
}

async function send(worker: Worker, project: ProjectRow, step: StepRow, members: readonly Member[]) {
  const batch = { urls: members.map(({ link }) => link.url), asOf: step.dueAt, reference: `step-${step.id}` };
  const outcomes = await handOver(worker, step, batch);
  const sent = members.map((member, index) => ({ ...member, outcome: outcomes[index]! }));
  return decideSend(project, step, sent, worker.clock.service());
}

/** Calls the engine, unless a call of this step may have been made already: then only asks what became of it. */
async function handOver({ engines, health, clock }: Worker, step: StepRow, batch: SendBatch): Promise<SendOutcome[]> {
  const submitter = engines.submitters[LANES[step.lane]!];
  const all = (outcome: SendOutcome) => batch.urls.map(() => outcome);
  if (!submitter) return all({ kind: "skipped", provider: "none", detail: "no_provider" });
  const uncertain = (provider: string) => all({ kind: "uncertain", provider, detail: "answer_lost" });
  if (step.intentAt !== null) return (await submitter.lookUp?.(batch)) ?? uncertain("unknown");
  try {
    const outcomes = await submitter.send(batch);
    for (const provider of new Set(outcomes.map((outcome) => outcome.provider)))
      health.succeeded(provider, clock.now());
    return outcomes;
  } catch (thrown) {
    if (!(thrown instanceof UpstreamFailure)) throw thrown;
    const { provider, kind, until } = thrown;
    health.failed(provider, kind, clock.now());
    if (kind === "timeout") return uncertain(provider);
    return all({ kind: "deferred", provider, detail: kind, ...(until === undefined ? {} : { until }) });
  }
}

async function look(
  { engines, health, clock }: Worker,
  project: ProjectRow,
  step: StepRow,
  members: readonly Member[],
) {
  const batchOf = (some: readonly Member[]) => ({
    links: some.map(({ link }) => ({ url: link.url, sentAt: link.sentAt })),
    asOf: step.dueAt,
  });
  const { available, outcomes } = await engines.verifier.look(batchOf(members));
  for (const provider of new Set(outcomes.map((outcome) => outcome.provider))) {
    if (available) health.succeeded(provider, clock.now());
    else health.failed(provider, "unavailable", clock.now());
  }
  const seen: Seen[] = members.map(({ place, link }, index) => ({ place, link, outcome: outcomes[index]! }));
  const lost = seen.filter(({ link, outcome }) => link.state === INDEXED && isVerdict(step, outcome));
  if (lost.length > 0) {
    const refusals = await engines.pages.refusals(batchOf(lost));
    lost.forEach((one, index) => {
      one.refusal = refusals[index] ?? null;
    });
  }
  return decideLook(project, step, available, seen, clock.service());
}
