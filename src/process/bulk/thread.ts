import { parentPort, workerData } from "node:worker_threads";
import { reopenDatabase } from "../../../db/open.ts";
import { operations } from "../../../tools/index.ts";
import { call } from "../../contract/call.ts";
import { parseCall } from "../../contract/executor.ts";
import { NO_PAYMENTS } from "../../domain/payments/payments.ts";
import type { Lock } from "../../platform/concurrency.ts";
import { unavailableIn } from "../../platform/errors/database-unavailable.ts";
import { errorReport } from "../../platform/errors/error-format.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { createHttpClient } from "../../platform/http-client/http-client.ts";
import { type BulkCall, type BulkSetup, type FromThread, frozenClock, type ToThread } from "./messages.ts";

/** How often the write-ahead log is moved into the file, so that no commit on the main thread has to. */
const CHECKPOINT_MS = 1_000;

/** Connections to PostgreSQL, in addition to those of the process's own pool. */
const POOL = 2;

const port = parentPort!;
const post = (message: FromThread) => port.postMessage(message);
const { config } = workerData as BulkSetup;
/** Calls that have not ended, so that they can be cancelled. */
const running = new Map<number, AbortController>();
const granted = new Map<number, () => void>();
let lockRequests = 0;

/** The main thread's lock, requested and released by messages. */
const lock: Lock = {
  async run(work) {
    const id = ++lockRequests;
    await new Promise<void>((resolve) => {
      granted.set(id, resolve);
      post({ type: "lock", id });
    });
    granted.delete(id);
    try {
      return await work();
    } finally {
      post({ type: "unlock", id });
    }
  },
};

const db = reopenDatabase(config.databaseUrl, { lock, pool: POOL });
const http = createHttpClient(config);
const byName = new Map(operations.map((operation) => [operation.name, operation]));
const housekeeping = setInterval(() => db.checkpoint(), CHECKPOINT_MS);

port.on("message", (message: ToThread) => {
  if (message.type === "locked") granted.get(message.id)?.();
  else if (message.type === "call") void answer(message.id, message.call);
  else if (message.type === "cancel") running.get(message.id)?.abort();
  else void stop();
});

async function answer(id: number, bulk: BulkCall): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const { operation: name, input, ...rest } = bulk;
    const operation = byName.get(name)!;
    const given = "body" in input ? { body: Buffer.from(input.body) } : input;
    const raw = { ...rest, operation, ...given, signal: controller.signal };
    const services = { db, config, http, payments: NO_PAYMENTS, clock: frozenClock(bulk) };
    post({ type: "answer", id, answer: await call(services, parseCall(raw)) });
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
  await http.close();
  await db.close();
  port.close();
}
