import type { Engine } from "../../../db/engine.ts";
import { SECOND } from "../clock.ts";
import { isUnavailable } from "../errors/database-unavailable.ts";
import { winTick } from "./claim-slot.ts";
import { NODE } from "./node-name.ts";

/** How long after the database did not answer it is asked again, in ms. */
const AGAIN_MS = 10 * SECOND;

/** Something that is done once in each slot, by one of the processes on a database. */
export interface Round {
  readonly job: string;
  /** Name of this process (NODE_NAME); default: its host and process id. */
  readonly node?: string | undefined;
  /** Length of its slots, in ms. */
  readonly periodMs: number;
  /** When it is tried for the first time, in ms after the start; then whenever a slot begins. */
  readonly firstMs: number;
  /** May be done twice, or by two processes at once: neither does harm. */
  work(): Promise<void>;
  /** Told of what was thrown; of a database that does not answer once, until it does again. */
  failed(err: unknown): void;
}

/**
 * Tries for every slot as it begins, and does the round if it was won. A process that starts within a slot that somebody
 * has had waits for the next one.
 * @returns stop, which waits for the round in hand
 */
export function startRounds(
  db: Engine,
  { job, node = NODE, periodMs, firstMs, work, failed }: Round,
): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isAway = false;
  let running = Promise.resolve();

  const wait = (ms: number) => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = turn();
    }, ms).unref();
  };
  const turn = async () => {
    try {
      if (await winTick(db, { job, periodMs, node })) await work();
      isAway = false;
    } catch (err) {
      if (!isAway) failed(err);
      isAway = isUnavailable(err);
    }
    wait(await untilNext());
  };
  const untilNext = async () => {
    try {
      return periodMs - ((await db.now()) % periodMs);
    } catch {
      return AGAIN_MS;
    }
  };
  wait(firstMs);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    return running;
  };
}
