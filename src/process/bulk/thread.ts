import { parentPort, workerData } from "node:worker_threads";
import { reopenDatabase } from "../../../db/open.ts";
import { type Lock, lazily } from "../../platform/concurrency.ts";
import { unavailableIn } from "../../platform/errors/database-unavailable.ts";
import { errorReport } from "../../platform/errors/error-format.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { BulkCaller } from "./answer.ts";
import type { BulkCall, BulkSetup, FromThread, ToThread } from "./messages.ts";

/** How often the write-ahead log is moved into the file, so that no commit on the main thread has to. */
const CHECKPOINT_MS = 1_000;

/** Connections to PostgreSQL, in addition to the process's own pool. */
const POOL = 2;

const port = parentPort!;
const post = (message: FromThread) => port.postMessage(message);
const { config } = workerData as BulkSetup;
/** Calls that have not ended, so that they can be cancelled. */
const running = new Map<number, AbortController>();
/** What waits for the lock, by the id of its request. */
const waiting = new Map<number, () => void>();
let lockRequests = 0;

/** The main thread's lock, requested and released by messages. */
const lock: Lock = {
  async run(work) {
    const id = ++lockRequests;
    await new Promise<void>((resolve) => {
      waiting.set(id, resolve);
      post({ type: "lock", id });
    });
    waiting.delete(id);
    try {
      return await work();
    } finally {
      post({ type: "unlock", id });
    }
  },
};

const db = await reopenDatabase(config.databaseUrl, {
  lock,
  pool: POOL,
  ...(config.checkpoints ? {} : { checkpointPages: 0 }),
});
let caller: BulkCaller | undefined;
/** The operations are loaded by the first call: a process that gets no large calls has them in memory once. */
const openCaller = lazily(async () => {
  const { bulkCaller } = await import("./answer.ts");
  caller = bulkCaller(db, config);
  return caller;
});
const housekeeping = config.checkpoints ? setInterval(() => db.checkpoint(), CHECKPOINT_MS) : undefined;

port.on("message", (message: ToThread) => {
  if (message.type === "locked") waiting.get(message.id)?.();
  else if (message.type === "call") void answer(message.id, message.call);
  else if (message.type === "cancel") running.get(message.id)?.abort();
  else void stop();
});

async function answer(id: number, bulk: BulkCall): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const { answer } = await openCaller();
    post({ type: "answer", id, answer: await answer(bulk, controller.signal) });
  } catch (thrown) {
    if (thrown instanceof Refusal) {
      const { code, message, fields, headers } = thrown;
      post({ type: "refusal", id, refusal: { code, message, fields, headers } });
    } else if (unavailableIn(thrown)) {
      const { message, mayHaveHappened } = unavailableIn(thrown)!;
      post({ type: "unavailable", id, message, mayHaveHappened });
    } else post({ type: "failure", id, message: errorReport(thrown) });
  } finally {
    running.delete(id);
  }
}

async function stop(): Promise<void> {
  clearInterval(housekeeping);
  await caller?.close();
  await db.close();
  port.close();
}
