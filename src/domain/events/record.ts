import { eq, exists, sql } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { placeholders } from "../../../db/placeholders.ts";
import { EVENT_TYPES, type NewEvent } from "./types.ts";

/**
 * Writes events of an account in the transaction of what has happened, numbered under the account's row as its ledger entries
 * are: whoever reads them in order of their numbers misses none. Nobody is told of a deleted account.
 *
 * @param now real time
 */
export async function recordEvents(tx: Tx, accountId: string, events: readonly NewEvent[], now: number): Promise<void> {
  if (events.length === 0) return;
  const [account] = await numbers(tx).execute({ accountId, count: events.length });
  if (!account || account.deletedAt !== null) return;
  let no = account.newest - events.length;
  for (const { type, projectId = null, data } of events) {
    no += 1;
    const isTold = account.hasListeners || EVENT_TYPES[type].isMailed;
    const row = { accountId, no, at: now, type, projectId, data: JSON.stringify(data) };
    await insert(tx).execute({ ...row, queuedAt: isTold ? now : null });
  }
}

const numbers = (tx: Tx) =>
  tx.prepared("number_events", ({ q, t: { accounts, webhooks } }) => {
    const isIts = eq(webhooks.accountId, sql.placeholder("accountId"));
    const listeners = q.select({ id: webhooks.id }).from(webhooks).where(isIts);
    return q
      .update(accounts)
      .set({ events: sql`${accounts.events} + ${sql.placeholder("count")}` })
      .where(eq(accounts.id, sql.placeholder("accountId")))
      .returning({
        newest: accounts.events,
        deletedAt: accounts.deletedAt,
        hasListeners: sql<boolean>`${exists(listeners)}`.mapWith(Boolean),
      });
  });

const insert = (tx: Tx) =>
  tx.prepared("insert_event", ({ q, t: { events } }) =>
    q.insert(events).values(placeholders(events)).returning({ no: events.no }),
  );
