import { and, asc, eq, gte, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Engine, StepRow } from "../../../db/engine.ts";
import { call } from "../../../src/contract/call.ts";
import type { AnyOperation } from "../../../src/contract/operation.ts";
import { NO_PAYMENTS } from "../../../src/domain/payments/payments.ts";
import type { ProjectRow } from "../../../src/domain/projects/read.ts";
import { completeStep } from "../../../src/indexing/checker/complete.ts";
import { decideCheck, decideSend } from "../../../src/indexing/checker/decide.ts";
import { LeaseLost } from "../../../src/indexing/checker/lease.ts";
import type { Member } from "../../../src/indexing/checker/members.ts";
import { prepare, txOptions } from "../../../src/indexing/checker/prepare.ts";
import { MINUTE } from "../../../src/platform/clock.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { createHttpClient } from "../../../src/platform/http-client/http-client.ts";
import { linkId, linkKey, positionOf } from "../../../src/platform/ids.ts";
import { unpackPositions } from "../../../src/platform/link-set.ts";
import cancelLinks from "../../../tools/cancel-links.ts";
import submitUrls from "../../../tools/submit-urls.ts";
import { keyPrincipal } from "../database/key-principal.ts";
import type { TestStore } from "../database/store.ts";

/** A project at some age, with the steps that a worker has leased. */
export interface LeasedProject {
  readonly store: TestStore;
  readonly project: ProjectRow;
  /** The leased steps, by lane and position. */
  readonly held: readonly StepRow[];
  /** Of each step that has begun: the links that its worker may send or check. */
  readonly members: Map<number, readonly Member[]>;
}

/** An action on the project, over the database of a node. @returns the answer to its caller */
export type Action = (leased: LeasedProject, db: Engine) => Promise<string>;

/** How long a lease lasts, and a time after which it has expired. */
const LEASE_MS = MINUTE;
const EXPIRED_MS = MINUTE + 1_000;
/** Added to the due times of other projects' steps, so that they are not claimed. */
const PARKED = 1e15;

/** Leases the due steps of one project, and of no other. */
export async function leaseDueSteps(store: TestStore, project: ProjectRow): Promise<LeasedProject> {
  const { db } = store;
  const { steps } = db.t;
  const shift = (by: number, which: SQL | undefined) =>
    db.tx((tx) =>
      tx.q
        .update(steps)
        .set({ dueAt: sql`${steps.dueAt} + ${by}` })
        .where(which),
    );
  await shift(PARKED, and(ne(steps.projectNo, project.no), lt(steps.dueAt, PARKED)));
  await shift(-PARKED, and(eq(steps.projectNo, project.no), gte(steps.dueAt, PARKED)));
  await claim(store, db, "first", store.clock.now());
  const held = await db.q
    .select()
    .from(steps)
    .where(and(eq(steps.projectNo, project.no), eq(steps.lease, "first")))
    .orderBy(asc(steps.lane), asc(steps.first));
  return { store, project, held, members: new Map() };
}

async function claim({ clock }: TestStore, db: Engine, lease: string, now: number): Promise<void> {
  const terms = { dueBy: clock.service(), now, lease, leaseUntil: now + LEASE_MS, limit: 100 };
  for (const priority of [0, 1]) await db.claimSteps({ ...terms, priority });
}

const times = ({ store: { clock } }: LeasedProject) => ({ service: clock.service(), now: clock.now() });

/** Another worker claims the steps whose leases have expired. */
export const takeOver: Action = async ({ store }, db) => {
  await claim(store, db, "second", store.clock.now() + EXPIRED_MS);
  return "done";
};

/** A worker begins a step, just before it calls the provider. */
export const beginStep =
  (at: number): Action =>
  async (leased, db) => {
    const step = leased.held[at]!;
    const members = await membersOf(leased, step);
    return resultOf(async () => {
      const left = await prepare(db, leased.project, step, members, times(leased), new Set());
      leased.members.set(step.id, left ?? []);
      return `${left?.length ?? 0} to be sent or checked`;
    });
  };

/** The provider has answered, and the worker completes the step: links were accepted, or checked with this result. */
export const finishStep =
  (at: number, result: "indexed" | "not_indexed" = "not_indexed"): Action =>
  async (leased, db) => {
    const { project, store } = leased;
    const step = leased.held[at]!;
    const members = leased.members.get(step.id) ?? (await membersOf(leased, step));
    const seen = { result, available: true, provider: "p", method: "m" } as const;
    const accepted = { kind: "accepted", provider: "p" } as const;
    const now = store.clock.service();
    const partition =
      step.action === "check"
        ? decideCheck(
            project,
            step,
            members.map((member) => ({ ...member, outcome: seen })),
            now,
          )
        : decideSend(
            project,
            step,
            members.map((member) => ({ ...member, outcome: accepted })),
            now,
          );
    const parts = partition.result(members.map(({ position }) => position));
    return resultOf(async () => {
      await db.tx((tx) => completeStep(tx, project, step, parts, times(leased)), txOptions(project));
      return "done";
    });
  };

async function membersOf({ store: { db }, project }: LeasedProject, step: StepRow): Promise<Member[]> {
  const rows = await db.linksBetween(linkKey(project.no, 0), linkKey(project.no, project.total - 1));
  const positions = new Set(unpackPositions(step));
  return rows
    .map((link) => ({ position: positionOf(link.id), link }))
    .filter(({ position }) => positions.has(position));
}

const config = readConfig({ SITE_URL: "http://beckon.test" });
const http = createHttpClient(config);

/** Calls an operation with a key of the account. @param late ms by which the clock of the caller's node is ahead */
async function callOperation(
  operation: AnyOperation,
  input: object,
  { store, project }: LeasedProject,
  db: Engine,
  late = 0,
) {
  const { clock } = store;
  const principal = await keyPrincipal(store.db, project.accountId, ["index"]);
  const later = { now: () => clock.now() + late, service: () => clock.service() };
  const services = { db, clock: later, config, http, payments: NO_PAYMENTS };
  const { text } = await call(services, { operation, input, audience: "program", principal, requestsToday: 1 });
  return JSON.parse(text);
}

export const submit: Action = (leased, db) =>
  resultOf(async () => {
    await callOperation(submitUrls, { urls: ["https://example.com/more"] }, leased, db);
    return "done";
  });

/** @param position of the only link to cancel; null: all @param late ms by which the clock of the canceller is ahead */
const cancel =
  (position: number | null, late = 0): Action =>
  (leased, db) =>
    resultOf(async () => {
      const { id } = leased.project;
      const input = { project_id: id, ...(position === null ? {} : { link_ids: [linkId(id, position)] }) };
      const { cancelled, credits_returned } = await callOperation(cancelLinks, input, leased, db, late);
      return `${cancelled} cancelled, ${credits_returned} returned`;
    });
export const cancelLink = (position: number) => cancel(position);
export const cancelProject = cancel(null);
export const cancelLate = cancel(null, EXPIRED_MS);

async function resultOf(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof LeaseLost) return "lease lost";
    const { code } = thrown as { code?: string };
    if (code === undefined) throw thrown;
    return code;
  }
}

/** Describes the state of the account and its project, without random ids. */
export async function outcomeOf({ store, project }: LeasedProject) {
  const { db } = store;
  const { accounts, steps, projects, deliveries, observations } = db.t;
  const [account] = await db.q.select().from(accounts).where(eq(accounts.id, project.accountId));
  const { status, waiting, checking, indexed, notIndexed, failed, creditsReturned, completedAt } =
    await store.reload(project);
  const counts = { waiting, checking, indexed, notIndexed, failed };
  const ledger = (await store.ledger(project.accountId)).map((entry) => entry.join(" ")).sort();
  const own = { from: linkKey(project.no, 0), to: linkKey(project.no, project.total - 1) };
  const links = await db.linksBetween(own.from, own.to);
  const open = await db.q.select().from(steps).where(eq(steps.projectNo, project.no));
  const sent = await db.q.select().from(deliveries).where(eq(deliveries.projectNo, project.no));
  const seen = await db.q.select().from(observations).where(eq(observations.projectNo, project.no));
  const others = await db.q
    .select()
    .from(projects)
    .where(and(eq(projects.accountId, project.accountId), ne(projects.no, project.no)));
  const each = <Row extends { first: number; members: Buffer }>(rows: readonly Row[], format: (row: Row) => string) =>
    rows.flatMap((row) => unpackPositions(row).map((position) => `${position}: ${format(row)}`)).sort();
  const isBegun = (step: StepRow) => (step.intentAt === null ? "" : ", begun");
  return {
    balance: account!.credits,
    ledger,
    submitted: others.length,
    project: { status, ...counts, creditsReturned, isCompleted: completedAt !== null },
    links: links.map(({ state, sentAt, cancelledAt }) =>
      [state, sentAt !== null && "sent", cancelledAt !== null && "cancelled"].filter(Boolean).join(" "),
    ),
    steps: each(
      open,
      (step) =>
        `${step.lane} ${step.action} ${step.stage} at ${step.dueAt - project.createdAt}, ` +
        `${step.negatives} of ${step.tries}, held by ${step.lease}${isBegun(step)}`,
    ),
    sent: each(sent, ({ lane, detail }) => `${lane} ${detail}`),
    seen: each(seen, ({ stage, result }) => `${stage} ${result}`),
  };
}
