import { and, eq, exists, gt, isNotNull, isNull, lt, lte, ne, not, or, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { CHECK_DAYS } from "../../platform/check-days.ts";
import { DAY, HOUR } from "../../platform/clock.ts";
import type { Role } from "../../platform/principal.ts";
import { allows, hasRight, type Need } from "../../platform/roles.ts";
import { maySpend } from "../credentials/may-spend-rows.ts";

/** Whose inbox it is. */
export interface InboxOwner {
  readonly accountId: string;
  readonly personId: string;
  readonly role: Role;
}

/** Real and service time. */
export interface InboxTimes {
  readonly now: number;
  readonly service: number;
}

/** What an inbox holds, in the order in which it is shown, and what one must be allowed to do to act on it. */
export const INBOX_NEEDS = {
  approvals: "approve",
  runs: "index",
  connections: "settings",
  webhooks: "index",
  results: "index",
} as const satisfies Readonly<Record<string, Need>>;

export type InboxKind = keyof typeof INBOX_NEEDS;

/** Whether a kind is in the inbox of somebody at all. */
export function isInInbox({ role }: InboxOwner, kind: InboxKind): boolean {
  return allows(role, INBOX_NEEDS[kind]);
}

/** How long results wait to be opened. */
const RESULTS_WAIT = 7 * DAY;

/** How long a webhook has failed before somebody is asked to look: most failures are over by then. */
const WEBHOOK_FAILS = HOUR;

/** The newest projects of an account, among which results are looked for. */
const PROJECTS = 500;

type Db = Pick<Reader, "q" | "t">;

const ANY = { one: sql`1` };

/** An approval is open, whoever asked may still act, and the reader may give it: a manager gives none to themselves. */
export function isWaitingApproval(db: Db, { accountId, personId, role }: InboxOwner, { now }: InboxTimes) {
  const { approvals } = db.t;
  const asker = { accountId, id: approvals.credential, now };
  return and(
    eq(approvals.accountId, accountId),
    // By the index; an approval is open for a day.
    gt(approvals.createdAt, now - DAY),
    eq(approvals.status, "open"),
    gt(approvals.expiresAt, now),
    maySpend(db, asker),
    hasRight(role, "owners") ? undefined : not(maySpend(db, { ...asker, of: personId })),
  );
}

/** A run of a watch is held until somebody has looked. */
export function isHeldRun({ t: { watches } }: Db, { accountId }: InboxOwner) {
  return and(eq(watches.accountId, accountId), eq(watches.status, "held"), isNotNull(watches.heldDigest));
}

/** A connection to a search engine gives no access. */
export function isFailingConnection({ t: { connections } }: Db, { accountId }: InboxOwner) {
  return and(eq(connections.accountId, accountId), isNotNull(connections.failingSince), isNull(connections.endedAt));
}

/** A webhook was disabled, or has failed for a while. */
export function isFailingWebhook({ t: { webhooks } }: Db, { accountId }: InboxOwner, { now }: InboxTimes) {
  const fails = and(eq(webhooks.status, "active"), lte(webhooks.failingSince, now - WEBHOOK_FAILS));
  return and(eq(webhooks.accountId, accountId), or(eq(webhooks.status, "disabled"), fails));
}

/**
 * The query of projects with results that nobody has opened: completed, or through their first check, in the last seven days.
 * @param which of them; absent: all
 */
export function openResults({ q, t }: Db, { accountId }: InboxOwner, { service }: InboxTimes) {
  const { steps } = t;
  const newest = q
    .select()
    .from(t.projects)
    .where(eq(t.projects.accountId, accountId))
    .orderBy(sql`${t.projects.no} DESC`)
    .limit(PROJECTS)
    .as("newest");
  const dripMs = sql`CAST(${newest.dripDays} AS bigint) * ${sql.raw(String(DAY))}`;
  const firstCheckAt = sql<number>`${newest.createdAt} + ${dripMs} + ${sql.raw(String(CHECK_DAYS.first * DAY))}`;
  const at = sql<number>`coalesce(${newest.completedAt}, ${firstCheckAt})`.mapWith(Number);
  // Google is not asked yet, for the first time.
  const isBefore = and(
    eq(steps.projectNo, newest.no),
    eq(steps.lane, "google"),
    ne(steps.stage, "day_14"),
    or(ne(steps.stage, "day_4"), eq(steps.tries, 0)),
  );
  const isThere = and(
    eq(newest.kind, "index"),
    gt(at, service - RESULTS_WAIT),
    lte(at, service),
    or(isNull(newest.openedAt), lt(newest.openedAt, at)),
    or(isNotNull(newest.completedAt), not(exists(q.select(ANY).from(steps).where(isBefore)))),
  );
  return { newest, at, isThere };
}
