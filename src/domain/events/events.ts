import { and, asc, eq, gt, lt, lte, min } from "drizzle-orm";
import type { Engine, Reader } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { DAY } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { EventType } from "./types.ts";

export type EventRow = Schema["events"]["$inferSelect"];

/** How long events are kept, in ms. */
export const EVENTS_KEPT = 30 * DAY;

/** The public id of an event: its account's and its number there, so that none is stored and any can be put in order. */
export function eventId(accountId: string, no: number): string {
  return `evt_${accountId.slice(4)}_${no}`;
}

/** The number in an event id; null where it is not one of this account. */
export function eventNoOf(id: string, accountId: string): number | null {
  const prefix = `evt_${accountId.slice(4)}_`;
  const digits = id.startsWith(prefix) ? id.slice(prefix.length) : "";
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : null;
}

export interface EventFilter {
  /** Id of the event before the first one; null: from the oldest that is kept. */
  readonly after: string | null;
  readonly type: EventType | null;
  readonly projectId: string | null;
  readonly limit: number;
}

/**
 * Events of an account in order of writing, and whether more follow.
 * @throws Refusal invalid_request when `after` is no event of the account; cursor_expired when events after it are deleted
 */
export async function eventsOf(db: Reader, accountId: string, { after, type, projectId, limit }: EventFilter) {
  const { events } = db.t;
  const rows = await db.q
    .select()
    .from(events)
    .where(
      and(
        eq(events.accountId, accountId),
        after === null ? undefined : gt(events.no, await cursor(db, accountId, after)),
        type === null ? undefined : eq(events.type, type),
        projectId === null ? undefined : eq(events.projectId, projectId),
      ),
    )
    .orderBy(asc(events.no))
    .limit(limit + 1);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** The number of the newest event of an account; 0 before the first. */
export async function newestEventOf(db: Reader, accountId: string): Promise<number> {
  const { accounts } = db.t;
  const [row] = await db.q.select({ no: accounts.events }).from(accounts).where(eq(accounts.id, accountId));
  return row?.no ?? 0;
}

async function cursor(db: Reader, accountId: string, after: string): Promise<number> {
  const no = eventNoOf(after, accountId);
  const newest = await newestEventOf(db, accountId);
  if (no === null || no > newest) {
    const message = "no event of this account";
    throw new Refusal("invalid_request", `\`after\`: ${message}.`, { issues: [{ path: "after", message }] });
  }
  const { events } = db.t;
  const [kept] = await db.q
    .select({ oldest: min(events.no) })
    .from(events)
    .where(eq(events.accountId, accountId));
  if (no + 1 < (kept?.oldest ?? newest + 1)) throw new Refusal("cursor_expired", EXPIRED);
  return no;
}

const EXPIRED =
  "Events after this one are older than 30 days and were deleted. Call list_events without `after`, and get_project for what happened before.";

/** Rows that one transaction deletes at most. */
const BATCH = 5_000;

/** Deletes events that are older than 30 days. @param now real time */
export async function purgeEvents(db: Engine, now: number): Promise<void> {
  const { events } = db.t;
  for (let deleted = BATCH; deleted === BATCH; ) {
    const old = await db.q
      .select({ at: events.at })
      .from(events)
      .where(lt(events.at, now - EVENTS_KEPT))
      .orderBy(asc(events.at))
      .limit(BATCH);
    deleted = old.length;
    const last = old.at(-1);
    if (last) await db.tx(async ({ q }) => void (await q.delete(events).where(lte(events.at, last.at))));
  }
}
