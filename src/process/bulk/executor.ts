import { Worker } from "node:worker_threads";
import type { Answer, Services } from "../../contract/call.ts";
import { type Executor, inlineExecutor, type RawCall } from "../../contract/executor.ts";
import type { Lock } from "../../platform/concurrency.ts";
import { DatabaseUnavailable } from "../../platform/errors/database-unavailable.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { BulkCall, BulkSetup, FromThread, ToThread } from "./messages.ts";

/** From here on a body is parsed, checked and stored on the other thread, in bytes or entries. */
const BULK_BYTES = 64 * 1024;
const BULK_ENTRIES = 1_000;
/**
 * A young generation of 12 MB is three half-spaces of 4: what the thread makes is mostly garbage at once, and V8 would
 * keep four times as much of it around, without being any faster (`npm run bench -- sitemap`).
 */
const RESOURCES = { maxYoungGenerationSizeMb: 12 };
/** How long a stop waits for the thread. */
const STOP_MS = 10_000;

export interface BulkExecutor extends Executor {
  stop(): Promise<void>;
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(reason: Error): void;
}

/**
 * Runs large calls on a thread with its own connection, so that 20,000 URLs never hold up the event loop, and
 * the others here. The thread takes its turn at the writer by `lock`, the same as this thread's transactions.
 */
export function bulkExecutor(services: Services, lock: Lock): BulkExecutor {
  const inline = inlineExecutor(services);
  let thread = startThread(services, lock);
  let stopped = false;
  return {
    run(work) {
      if (!isBulk(work)) return inline.run(work);
      if (thread.isDead() && !stopped) thread = startThread(services, lock);
      return thread.run(work);
    },
    async stop() {
      stopped = true;
      await thread.stop();
    },
  };
}

function isBulk(work: RawCall): boolean {
  const { effect, readsWeb } = work.operation;
  if (readsWeb) return true;
  // Money is taken on this thread only.
  if (effect === "purchase") return false;
  if ("body" in work) return work.body.length >= BULK_BYTES;
  const urls = (work.json as { urls?: unknown } | null)?.urls;
  return Array.isArray(urls) && urls.length >= BULK_ENTRIES;
}

/** From the sources, a thread has to be taught TypeScript first; from dist/ it runs as it is. */
function openThread(workerData: BulkSetup): Worker {
  const thread = new URL(import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js", import.meta.url);
  if (thread.pathname.endsWith(".js")) return new Worker(thread, { workerData, resourceLimits: RESOURCES });
  const teach = `import("tsx/esm/api").then(({ register }) => { register(); return import("${thread.href}"); })`;
  return new Worker(teach, { eval: true, workerData, resourceLimits: RESOURCES });
}

function startThread({ clock, config }: Services, lock: Lock) {
  const worker = openThread({ config });
  worker.unref();
  const waiting = new Map<number, Waiting>();
  const turns = new Map<number, () => void>();
  let dead = false;
  let calls = 0;
  const say = (message: ToThread, transfer: ArrayBuffer[] = []) => worker.postMessage(message, transfer);

  worker.on("message", (message: FromThread) => {
    if (message.type === "lock") {
      void lock.run(async () => {
        if (dead) return;
        say({ type: "locked", id: message.id });
        await new Promise<void>((resolve) => turns.set(message.id, resolve));
      });
    } else if (message.type === "unlock") {
      turns.get(message.id)?.();
      turns.delete(message.id);
    } else {
      const caller = waiting.get(message.id);
      waiting.delete(message.id);
      if (waiting.size === 0) worker.unref();
      if (message.type === "answer") caller?.resolve(message.answer);
      else if (message.type === "refusal") {
        const { code, message: text, fields, headers } = message.refusal;
        caller?.reject(new Refusal(code, text, fields, headers));
      } else if (message.type === "away") {
        caller?.reject(new DatabaseUnavailable(message.message, undefined, message.mayHaveHappened));
      } else caller?.reject(new Error(message.message));
    }
  });
  // What a dead thread had begun is rolled back with its connection; whoever waits is told.
  const die = (reason: Error) => {
    dead = true;
    for (const release of turns.values()) release();
    turns.clear();
    for (const caller of waiting.values()) caller.reject(reason);
    waiting.clear();
  };
  worker.on("error", die);
  worker.on("exit", () => die(new Error("the thread for large calls ended")));

  return {
    isDead: () => dead,
    run(work: RawCall): Promise<Answer> {
      if (dead)
        return Promise.reject(new Refusal("unavailable", "The service is stopping.", {}, { "Retry-After": "5" }));
      return new Promise((resolve, reject) => {
        const id = ++calls;
        waiting.set(id, { resolve, reject });
        worker.ref();
        const { call, transfer } = pack(work, { now: clock.now(), service: clock.service() });
        say({ type: "call", id, call }, transfer);
      });
    },
    async stop(): Promise<void> {
      if (dead) return;
      const ended = new Promise((resolve) => worker.once("exit", resolve));
      say({ type: "stop" });
      // A thread that is lost in its work does not hear; what it had begun is rolled back.
      const timer = setTimeout(() => void worker.terminate(), STOP_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

function pack(work: RawCall, times: { now: number; service: number }): { call: BulkCall; transfer: ArrayBuffer[] } {
  const { operation, idempotencyKey, audience, turn, principal, requestsToday } = work;
  const call = { operation: operation.name, idempotencyKey, audience, turn, principal, requestsToday, ...times };
  if ("json" in work) return { call: { ...call, input: { json: work.json } }, transfer: [] };
  const { buffer, byteOffset, byteLength } = work.body;
  const whole = byteOffset === 0 && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer;
  const body = (whole ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)) as ArrayBuffer;
  return { call: { ...call, input: { body } }, transfer: [body] };
}
