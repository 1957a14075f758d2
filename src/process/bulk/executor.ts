import { Worker } from "node:worker_threads";
import type { Answer, Call, Services } from "../../contract/call.ts";
import { type Executor, inlineExecutor } from "../../contract/executor.ts";
import { BODIES } from "../../platform/body-limits.ts";
import type { Lock } from "../../platform/concurrency.ts";
import { DatabaseUnavailable } from "../../platform/errors/database-unavailable.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { RawList } from "../../platform/json/raw-list.ts";
import type { BulkCall, BulkSetup, FromThread, ToThread } from "./messages.ts";

/** From so many entries on, a call runs on the bulk thread. */
const BULK_ENTRIES = 1_000;
/**
 * A young generation of 12 MB is three half-spaces of 4 MB. Most of what the thread allocates is garbage at once; by default
 * V8 would keep four times as much of it, and be no faster (`npm run bench -- sitemap`).
 */
const RESOURCES = { maxYoungGenerationSizeMb: 12 };
/** How long a stop waits for the thread. */
const STOP_MS = 10_000;

export interface BulkExecutor extends Executor {
  stop(): Promise<void>;
}

interface PendingCall {
  resolve(answer: Answer): void;
  reject(reason: Error): void;
}

/**
 * Runs large calls on a thread with its own connection, so that 20,000 URLs never block the event loop, and all other calls
 * on this thread. The first large call starts the other thread, since many a service never gets one and need not spend the memory.
 * Transactions of both threads take the same `lock`, since SQLite has one writer.
 */
export function bulkExecutor(services: Services, lock: Lock): BulkExecutor {
  const inline = inlineExecutor(services);
  let thread: ReturnType<typeof startThread> | null = null;
  let isStopped = false;
  return {
    run: (work) => (isBulk(work) ? runOnThread(work) : inline.run(work)),
    async stop() {
      isStopped = true;
      await thread?.stop();
    },
  };

  async function runOnThread(work: Call): Promise<Answer> {
    if (isStopped) throw new Refusal("unavailable", "The service is stopping.", {}, { "Retry-After": "5" });
    if (!thread || thread.isDead()) thread = startThread(services, lock);
    return thread.run(work);
  }
}

function isBulk({ operation: { effect, readsWeb, rest }, input }: Call): boolean {
  if (readsWeb || rest.bodyField !== undefined) return true;
  // Payments are handled on this thread only.
  if (effect === "purchase") return false;
  const urls = urlsIn(input);
  return urls instanceof RawList || (Array.isArray(urls) && urls.length >= BULK_ENTRIES);
}

function urlsIn(input: unknown): unknown {
  return (input as { urls?: unknown } | null)?.urls;
}

/** Run from the sources, the thread registers tsx first; from dist/ it runs as it is. */
function openThread(workerData: BulkSetup): Worker {
  const thread = new URL(import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js", import.meta.url);
  if (thread.pathname.endsWith(".js")) return new Worker(thread, { workerData, resourceLimits: RESOURCES });
  const loader = `import("tsx/esm/api").then(({ register }) => { register(); return import("${thread.href}"); })`;
  return new Worker(loader, { eval: true, workerData, resourceLimits: RESOURCES });
}

function startThread({ clock, config }: Services, lock: Lock) {
  const worker = openThread({ config });
  worker.unref();
  const pending = new Map<number, PendingCall>();
  /** Locks that the thread holds, by the id of its request: each function releases one. */
  const locks = new Map<number, () => void>();
  let isDead = false;
  let calls = 0;
  const post = (message: ToThread, transfer: ArrayBuffer[] = []) => worker.postMessage(message, transfer);

  worker.on("message", (message: FromThread) => {
    if (message.type === "lock") {
      void lock.run(async () => {
        if (isDead) return;
        post({ type: "locked", id: message.id });
        await new Promise<void>((resolve) => locks.set(message.id, resolve));
      });
    } else if (message.type === "unlock") {
      locks.get(message.id)?.();
      locks.delete(message.id);
    } else {
      const caller = pending.get(message.id);
      pending.delete(message.id);
      if (pending.size === 0) worker.unref();
      if (message.type === "answer") caller?.resolve(message.answer);
      else if (message.type === "refusal") {
        const { code, message: text, fields, headers } = message.refusal;
        caller?.reject(new Refusal(code, text, fields, headers));
      } else if (message.type === "unavailable") {
        caller?.reject(new DatabaseUnavailable(message.message, undefined, message.mayHaveHappened));
      } else caller?.reject(new Error(message.message));
    }
  });
  // The transactions of a dead thread are rolled back with its connection; its pending calls fail.
  const onDeath = (reason: Error) => {
    isDead = true;
    for (const release of locks.values()) release();
    locks.clear();
    for (const caller of pending.values()) caller.reject(reason);
    pending.clear();
  };
  worker.on("error", onDeath);
  worker.on("exit", () => onDeath(new Error("the thread for large calls ended")));

  return {
    isDead: () => isDead,
    run(work: Call): Promise<Answer> {
      return new Promise((resolve, reject) => {
        const id = ++calls;
        pending.set(id, { resolve, reject });
        worker.ref();

        const { call, transfer } = pack(work, { now: clock.now(), service: clock.service() });
        post({ type: "call", id, call }, transfer);
        const cancel = () => post({ type: "cancel", id });
        if (work.signal?.aborted) cancel();
        else work.signal?.addEventListener("abort", cancel, { once: true });
      });
    },
    async stop(): Promise<void> {
      if (isDead) return;
      const ended = new Promise((resolve) => worker.once("exit", resolve));
      post({ type: "stop" });
      // A thread that is still busy does not read the message; terminated, its transactions are rolled back.
      const timer = setTimeout(() => void worker.terminate(), STOP_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** A list over 1 MB is transferred. A smaller one is copied, since the call may be kept until a person approves it. */
function pack(work: Call, times: { now: number; service: number }): { call: BulkCall; transfer: ArrayBuffer[] } {
  const { operation, input, signal: _, payment: __, ...rest } = work;
  const call = { ...rest, ...times, operation: operation.name };
  const urls = urlsIn(input);
  if (!(urls instanceof RawList)) return { call: { ...call, input, list: null }, transfer: [] };
  const { urls: ___, ...fields } = input as { urls: unknown };
  const { bytes, values } = urls;
  const transfer = bytes.length > BODIES.large ? [bytes.buffer] : [];
  return { call: { ...call, input: fields, list: { bytes, values } }, transfer };
}
