import { randomUUID } from "node:crypto";
import { a2aMethods } from "../../../a2a/agent/agent.ts";
import type { A2aCall } from "../../../a2a/methods.ts";
import type { Message, SendMessageResponse, StreamResponse, Task } from "../../../a2a/wire.ts";
import { RequestGuard } from "../../../src/contract/authenticate.ts";
import { type Executor, inlineExecutor } from "../../../src/contract/executor.ts";
import { OpenStreams } from "../../../src/contract/open-streams.ts";
import { createHttpClient } from "../../../src/platform/http-client/http-client.ts";
import { manualTimers } from "../service/manual-timers.ts";
import type { TestService } from "../service/service.ts";

/** The members of a message that a test sets; the others have defaults. */
export type MessageDraft = Partial<Message> & { readonly text?: string; readonly data?: unknown };

/** The agent over a service, called as its bindings call it. Its poller runs only when a test calls `poll`. */
export class TestAgent {
  /** URIs of the extensions that were activated. */
  readonly activated: string[] = [];
  readonly errors: object[] = [];
  readonly guard: RequestGuard;
  readonly methods;
  readonly #timers = manualTimers();

  constructor(
    service: Pick<TestService, "db" | "clock" | "config" | "payments">,
    change: (executor: Executor) => Executor = (executor) => executor,
  ) {
    const { db, clock, config, payments } = service;
    const services = { db, clock, config, payments, http: createHttpClient(config) };
    this.guard = new RequestGuard(db, clock, config);
    const log = { error: (fields: object) => void this.errors.push(fields) };
    const deps = {
      services,
      guard: this.guard,
      executor: change(inlineExecutor(services)),
      streams: new OpenStreams({ db, clock, log, every: this.#timers.every }),
      log,
    };
    this.methods = a2aMethods(deps, this.#timers.every);
  }

  /** Whether the agent polls its tasks, or the credentials of its streams. */
  get isPolling(): boolean {
    return this.#timers.running > 0;
  }

  async poll(times = 1): Promise<void> {
    for (let left = times; left > 0; left--) await this.#timers.fire();
  }

  async call(key?: string, more: { extensions?: readonly string[]; signal?: AbortSignal } = {}): Promise<A2aCall> {
    const caller = { authorization: key && `Bearer ${key}`, ip: "127.0.0.1", resource: "/a2a" } as const;
    const admission = await this.guard.admit(caller);
    const { extensions = [], signal = new AbortController().signal } = more;
    return { caller, admission, extensions, signal, activate: (uri) => void this.activated.push(uri) };
  }

  async send(key: string | undefined, draft: MessageDraft, extensions: readonly string[] = []): Promise<Task> {
    return taskIn(await this.answer(key, draft, extensions));
  }

  async answer(key: string | undefined, draft: MessageDraft, extensions: readonly string[] = []) {
    const configuration = { returnImmediately: true };
    return this.methods.sendMessage({ message: messageOf(draft), configuration }, await this.call(key, { extensions }));
  }

  async stream(key: string | undefined, draft: MessageDraft, signal?: AbortSignal): Promise<StreamReader> {
    const call = await this.call(key, signal ? { signal } : {});
    return new StreamReader(this.methods.streamMessage({ message: messageOf(draft) }, call));
  }

  async subscribe(key: string | undefined, id: string, signal?: AbortSignal): Promise<StreamReader> {
    return new StreamReader(this.methods.subscribe({ id }, await this.call(key, signal ? { signal } : {})));
  }

  async task(key: string | undefined, id: string): Promise<Task> {
    return this.methods.getTask({ id }, await this.call(key));
  }

  async cancel(key: string | undefined, id: string): Promise<Task> {
    return this.methods.cancelTask({ id }, await this.call(key));
  }
}

/** Reads a stream one event at a time. */
export class StreamReader {
  readonly #events: AsyncIterator<StreamResponse>;

  constructor(events: AsyncIterable<StreamResponse>) {
    this.#events = events[Symbol.asyncIterator]();
  }

  /** @returns null at the end */
  async next(): Promise<StreamResponse | null> {
    const { done, value } = await this.#events.next();
    return done ? null : value;
  }

  async rest(): Promise<StreamResponse[]> {
    const events: StreamResponse[] = [];
    for (let event = await this.next(); event; event = await this.next()) events.push(event);
    return events;
  }

  async leave(): Promise<void> {
    await this.#events.return?.();
  }
}

export function messageOf({ text, data, ...more }: MessageDraft): Message {
  const parts = [...(text === undefined ? [] : [{ text }]), ...(data === undefined ? [] : [{ data }])];
  return { messageId: randomUUID(), role: "ROLE_USER", parts, ...more };
}

export function taskIn(answer: SendMessageResponse | StreamResponse | null): Task {
  if (answer && "task" in answer) return answer.task;
  throw new Error(`no task, but ${JSON.stringify(answer)}`);
}

/** The data of the first data part in the status message of a task. */
export function statusData({ status }: Task): Record<string, unknown> {
  return status.message?.parts.find((part) => part.data !== undefined)?.data as Record<string, unknown>;
}

/** The error code in the status message of a task. */
export function codeOf(task: Task): unknown {
  return (statusData(task)?.error as { code?: unknown } | undefined)?.code;
}

/** The data of the first artifact of a task. */
export function resultOf({ artifacts }: Task): Record<string, unknown> {
  return artifacts?.[0]?.parts[0]?.data as Record<string, unknown>;
}
