import { desc, eq, exists, sql } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { namedRows, placeholderRows } from "../../../db/placeholders.ts";
import { EVENT_TYPES, type NewEvent } from "./types.ts";

/**
 * Writes events of an account in the transaction of what has happened. The account's row numbers them, as it numbers ledger
 * entries, so that whoever reads them in order misses none. Their times are in the same order even if the clock went back,
 * because old events are deleted by time. Nobody is told of a deleted account.
 *
 * @param now real time
 */
export async function recordEvents(tx: Tx, accountId: string, events: readonly NewEvent[], now: number): Promise<void> {
  if (events.length === 0) return;
  const [account] = await numbers(tx).execute({ accountId, count: events.length });
  if (!account || account.deletedAt !== null) return;
  const first = account.newest - events.length + 1;
  const at = Math.max(now, account.lastAt ?? 0);
  const rows = events.map(({ type, projectId = null, data }, index) => {
    const queuedAt = account.hasListeners || EVENT_TYPES[type].isMailed ? now : null;
    return { accountId, no: first + index, at, type, projectId, data: JSON.stringify(data), queuedAt };
  });
  // Few events come together. When there are more, each is written by itself.
  if (rows.length > MOST_AT_ONCE) for (const row of rows) await insert(tx, [row]);
  else await insert(tx, rows);
}

/** Events for which there is one prepared statement. */
const MOST_AT_ONCE = 3;

const numbers = (tx: Tx) =>
  tx.prepared("number_events", ({ q, t: { accounts, events, webhooks, eventSubscriptions, pushConfigs } }) => {
    const accountId = sql.placeholder("accountId");
    const hooks = q.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.accountId, accountId));
    const asked = q.select({ id: eventSubscriptions.id }).from(eventSubscriptions);
    const subscriptions = asked.where(eq(eventSubscriptions.accountId, accountId));
    const configs = q.select({ id: pushConfigs.id }).from(pushConfigs).where(eq(pushConfigs.accountId, accountId));
    const ownEvents = q.select({ at: events.at }).from(events).where(eq(events.accountId, accountId));
    const last = ownEvents.orderBy(desc(events.no)).limit(1);
    return q
      .update(accounts)
      .set({ events: sql`${accounts.events} + ${sql.placeholder("count")}` })
      .where(eq(accounts.id, accountId))
      .returning({
        newest: accounts.events,
        deletedAt: accounts.deletedAt,
        lastAt: sql<number | null>`(${last})`.mapWith((value) => (value === null ? null : Number(value))),
        hasListeners: sql<boolean>`(${exists(hooks)} OR ${exists(subscriptions)} OR ${exists(configs)})`.mapWith(
          Boolean,
        ),
      });
  });

type NewRow = Tx["t"]["events"]["$inferInsert"];

async function insert(tx: Tx, rows: readonly NewRow[]): Promise<void> {
  const query = tx.prepared(`insert_events_${rows.length}`, ({ q, t: { events } }) =>
    q.insert(events).values(placeholderRows(events, rows.length)).returning({ no: events.no }),
  );
  await query.execute(namedRows(rows));
}
