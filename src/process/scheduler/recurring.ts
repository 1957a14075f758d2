import type { Engine } from "../../../db/engine.ts";
import { SECOND } from "../../platform/clock.ts";
import { isUnavailable } from "../../platform/errors/database-unavailable.ts";
import { claimSlot } from "./claim-slot.ts";
import { NODE_NAME } from "./node-name.ts";

/** How long to wait before the next attempt when the database does not answer, in ms. */
const RETRY_MS = 10 * SECOND;

/** Work that is done once in each slot, by one of the processes on a database. */
export interface RecurringJob {
  readonly job: string;
  /** Name of this process (NODE_NAME); default: its host and process id. */
  readonly node?: string | undefined;
  /** Length of the slots, in ms. */
  readonly periodMs: number;
  /** When the first slot is tried, in ms after the start; after that whenever a slot begins. */
  readonly firstMs: number;
  /** Has to be harmless when done twice, or by two processes at once. */
  work(): Promise<void>;
  /** Called with what was thrown; while a database does not answer, only the first time. */
  failed(err: unknown): void;
}

/**
 * Tries to claim every slot as it begins, and does the work of those it gets. A process that starts within a slot that
 * another one has claimed waits for the next one.
 * @returns stop, which waits for the work that is running
 */
export function startRecurring(
  db: Engine,
  { job, node = NODE_NAME, periodMs, firstMs, work, failed }: RecurringJob,
): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isUnreachable = false;
  let running = Promise.resolve();

  const wait = (ms: number) => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = trySlot();
    }, ms).unref();
  };
  const trySlot = async () => {
    try {
      if (await claimSlot(db, { job, periodMs, node })) await work();
      isUnreachable = false;
    } catch (err) {
      if (!isUnreachable) failed(err);
      isUnreachable = isUnavailable(err);
    }
    wait(await untilNext());
  };
  const untilNext = async () => {
    try {
      return periodMs - ((await db.now()) % periodMs);
    } catch {
      return RETRY_MS;
    }
  };
  wait(firstMs);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    return running;
  };
}
