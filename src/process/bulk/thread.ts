import { parentPort, workerData } from "node:worker_threads";
import type { AffectedAccounts, WriterLock } from "../../../db/engine.ts";
import { reopenDatabase } from "../../../db/open.ts";
import { lazily } from "../../platform/concurrency.ts";
import { unavailableIn } from "../../platform/errors/database-unavailable.ts";
import { errorReport } from "../../platform/errors/error-format.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { BulkCaller } from "./answer.ts";
import type { BulkCall, BulkSetup, FromThread, ToThread } from "./messages.ts";

/** How often the write-ahead log is moved into the file, so that no commit on the main thread has to. */
const CHECKPOINT_MS = 1_000;

/** Connections to PostgreSQL, in addition to those of the process's own pool. */
const POOL = 2;

const port = parentPort!;
const post = (message: FromThread) => port.postMessage(message);
const { config } = workerData as BulkSetup;
/** Calls that have not ended, so that they can be cancelled. */
const running = new Map<number, AbortController>();
/** What waits for a message about the lock, by the id of its request. */
const answered = new Map<number, () => void>();
let lockRequests = 0;

/**
 * The main thread's lock, requested and released by messages. Before it is released, the main thread hears which accounts are
 * changed, and sees the commit with its own connection; that no other process has committed meanwhile is seen with this one.
 * The work does not begin before the main thread has counted what was committed until then, or it would take this commit for one
 * of another process.
 */
const lock: WriterLock = {
  async run(work) {
    const id = ++lockRequests;
    await asking("lock", id);
    const before = versionOfThis();
    await asking("begun", id);
    let affected: AffectedAccounts = null;
    try {
      affected = await work();
    } finally {
      await asking("committed", id, affected);
      const own = affected === null || affected.size > 0 ? 1 : 0;
      post({ type: "unlock", id, isAlone: versionOfThis() === before + own });
    }
  },
};

/** Posts a message, and waits for its answer. */
async function asking(
  type: "lock" | "begun" | "committed",
  id: number,
  affected: AffectedAccounts = null,
): Promise<void> {
  await new Promise<void>((resolve) => {
    answered.set(id, resolve);
    post(type === "committed" ? { type, id, affected } : { type, id });
  });
  answered.delete(id);
}

const db = await reopenDatabase(config.databaseUrl, { lock, pool: POOL });
const versionOfThis = () => db.version?.() ?? 0;
let caller: BulkCaller | undefined;
/** The operations are loaded by the first call: a process that gets no large calls has them in memory once. */
const openCaller = lazily(async () => {
  const { bulkCaller } = await import("./answer.ts");
  caller = bulkCaller(db, config);
  return caller;
});
const housekeeping = setInterval(() => db.checkpoint(), CHECKPOINT_MS);

port.on("message", (message: ToThread) => {
  if (message.type === "locked" || message.type === "seen") answered.get(message.id)?.();
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
