import { TaskNotCancelableError, TaskNotFoundError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { A2aCall, A2aMethods } from "../../../a2a/methods.ts";
import type {
  Artifact,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  Part,
  PushConfigDraft,
  PushConfigRequest,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskIdRequest,
  TaskPushConfig,
  TaskPushConfigsRequest,
  TaskPushConfigsResponse,
  WireState,
} from "../../../a2a/wire.ts";
import { ScriptedPushConfigs } from "./scripted-pushes.ts";

/** An extension that the agent activates when a request names it. */
export const EXTENSION = "https://extensions.example.com/echo/v1";

const FINAL: ReadonlySet<WireState> = new Set([
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
]);
const PAUSED_OR_FINAL: ReadonlySet<WireState> = new Set([
  ...FINAL,
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
]);

const WORKING: Step = { state: "TASK_STATE_WORKING" };
const DONE: Step = { state: "TASK_STATE_COMPLETED" };
const TEXT: Part = { text: "Generated text content" };
const FILE: Part = { raw: "aGVsbG8=", filename: "output.txt", mediaType: "text/plain" };
const LINK: Part = { url: "https://example.com/output.txt", filename: "output.txt", mediaType: "text/plain" };
const DATA: Part = { data: { key: "value", count: 42 } };

type Step = { readonly state: WireState } | { readonly part: Part; readonly lastChunk?: boolean };

/**
 * Steps of the task that a message creates, by prefix of the message id; the first match counts. A script without a final
 * state leaves the task working until `finish`.
 */
const SCRIPTS: readonly (readonly [prefix: string, steps: readonly Step[] | "message"])[] = [
  ["tck-message-response", "message"],
  ["tck-stream-002", "message"],
  ["tck-input-required", [{ state: "TASK_STATE_INPUT_REQUIRED" }]],
  ["tck-reject-task", [{ state: "TASK_STATE_REJECTED" }]],
  ["tck-artifact-file-url", [{ part: LINK }, DONE]],
  ["tck-artifact-file", [{ part: FILE }, DONE]],
  ["tck-artifact-text", [{ part: TEXT }, DONE]],
  ["tck-artifact-data", [{ part: DATA }, DONE]],
  ["tck-stream-artifact-chunked", [WORKING, { part: { text: "chunk-1 " } }, { part: TEXT, lastChunk: true }, DONE]],
  ["tck-stream-artifact-file", [WORKING, { part: FILE }, DONE]],
  ["tck-stream", [WORKING, { part: TEXT }, DONE]],
  ["tck-working", [WORKING]],
  ["", [DONE]],
];

/** Prefixes of the scripts that reach a final or waiting state by themselves. */
export const ENDING_SCRIPTS = SCRIPTS.map(([prefix]) => prefix).filter((prefix) => !/^(tck-working)?$/.test(prefix));

interface StoredTask {
  readonly owner: string;
  readonly id: string;
  readonly contextId: string;
  state: WireState;
  at: number;
  readonly artifacts: Artifact[];
  readonly history: Message[];
  readonly events: StreamResponse[];
}

/** An agent in memory that runs the script which the id of a message names, for tests of the bindings. */
export class ScriptedAgent implements A2aMethods {
  /** Thrown by the next call, before anything else. */
  failNext: unknown;
  /** Thrown by the next stream, after its first event. */
  failStream: unknown;
  /** Every request so far. */
  seen: unknown[] = [];
  readonly calls: A2aCall[] = [];
  readonly #tasks = new Map<string, StoredTask>();
  readonly #pushConfigs = new ScriptedPushConfigs();
  readonly #waiting = new Set<() => void>();
  #now = Date.UTC(2026, 0, 1);
  #ids = 0;

  /** Number of streams that wait for the next event. */
  get waiting(): number {
    return this.#waiting.size;
  }

  async sendMessage(request: SendMessageRequest, call: A2aCall): Promise<SendMessageResponse> {
    this.#begin(request, call);
    const stored = this.#take(request, call);
    if (!stored) return { message: reply(request.message) };
    while (!request.configuration?.returnImmediately && !isPausedOrFinal(stored) && !call.signal.aborted) {
      await this.#change(call.signal);
    }
    return { task: shown(stored, { ...request.configuration, includeArtifacts: true }) };
  }

  async *streamMessage(request: SendMessageRequest, call: A2aCall): AsyncGenerator<StreamResponse> {
    this.#begin(request, call);
    const stored = this.#take(request, call, true);
    if (!stored) return yield { message: reply(request.message) };
    yield { task: submitted(stored) };
    yield* this.#follow(stored, 0, call);
  }

  async getTask({ id, historyLength }: GetTaskRequest, call: A2aCall): Promise<Task> {
    this.#begin({ id, historyLength }, call);
    return shown(this.#find(id, call), { historyLength, includeArtifacts: true });
  }

  async listTasks(request: ListTasksRequest, call: A2aCall): Promise<ListTasksResponse> {
    this.#begin(request, call);
    const { contextId, status, pageSize = 50, pageToken = "0", statusTimestampAfter } = request;
    const after = statusTimestampAfter ? Date.parse(statusTimestampAfter) : 0;
    const fitting = [...this.#tasks.values()]
      .filter((stored) => stored.owner === ownerOf(call) && stored.at >= after)
      .filter(
        (stored) => (contextId ?? stored.contextId) === stored.contextId && (status ?? stored.state) === stored.state,
      )
      .sort((a, b) => b.at - a.at);
    const start = Number(pageToken);
    const tasks = fitting.slice(start, start + pageSize).map((stored) => shown(stored, request));
    const end = start + tasks.length;
    return { tasks, nextPageToken: end < fitting.length ? String(end) : "", pageSize, totalSize: fitting.length };
  }

  async cancelTask({ id }: TaskIdRequest, call: A2aCall): Promise<Task> {
    this.#begin({ id }, call);
    const stored = this.#find(id, call);
    if (FINAL.has(stored.state)) throw new TaskNotCancelableError();
    this.#step(stored, { state: "TASK_STATE_CANCELED" });
    return shown(stored, { includeArtifacts: true });
  }

  async *subscribe({ id }: TaskIdRequest, call: A2aCall): AsyncGenerator<StreamResponse> {
    this.#begin({ id }, call);
    const stored = this.#find(id, call);
    if (FINAL.has(stored.state)) throw new UnsupportedOperationError("The task is over.");
    const from = stored.events.length;
    yield { task: shown(stored, { includeArtifacts: true }) };
    yield* this.#follow(stored, from, call, FINAL);
  }

  async createPushConfig(request: PushConfigDraft & { taskId: string }, call: A2aCall): Promise<TaskPushConfig> {
    this.#begin(request, call);
    this.#find(request.taskId, call);
    return this.#pushConfigs.save(request);
  }

  async getPushConfig({ taskId, id }: PushConfigRequest, call: A2aCall): Promise<TaskPushConfig> {
    this.#begin({ taskId, id }, call);
    return this.#pushConfigs.find(taskId, id);
  }

  async listPushConfigs({ taskId }: TaskPushConfigsRequest, call: A2aCall): Promise<TaskPushConfigsResponse> {
    this.#begin({ taskId }, call);
    this.#find(taskId, call);
    return { configs: this.#pushConfigs.of(taskId) };
  }

  async deletePushConfig({ taskId, id }: PushConfigRequest, call: A2aCall): Promise<object> {
    this.#begin({ taskId, id }, call);
    this.#pushConfigs.delete(taskId, id);
    return {};
  }

  /** Completes a task that works or waits for input. */
  finish(id: string): void {
    this.#step(this.#tasks.get(id)!, DONE);
  }

  /** Adds an artifact to a working task. */
  say(id: string, text: string): void {
    this.#step(this.#tasks.get(id)!, { part: { text } });
  }

  #begin(request: unknown, call: A2aCall): void {
    this.seen.push(request);
    this.calls.push(call);
    if (call.extensions.includes(EXTENSION)) call.activate(EXTENSION);
    const thrown = this.failNext;
    this.failNext = undefined;
    if (thrown) throw thrown;
  }

  #take({ message }: SendMessageRequest, call: A2aCall, isStream = false): StoredTask | null {
    const steps = SCRIPTS.find(([prefix]) => message.messageId.startsWith(prefix))![1];
    if (steps === "message") return null;
    const old = message.taskId === undefined ? null : this.#find(message.taskId, call);
    if (old && FINAL.has(old.state)) throw new UnsupportedOperationError("The task is over.");
    const id = `task-${++this.#ids}`;
    const stored: StoredTask = old ?? {
      ...{ owner: ownerOf(call), id, contextId: message.contextId ?? `context-${this.#ids}`, at: ++this.#now },
      ...{ state: "TASK_STATE_SUBMITTED", artifacts: [], history: [], events: [] },
    };
    this.#tasks.set(stored.id, stored);
    stored.history.push({ ...message, taskId: stored.id, contextId: stored.contextId });
    const isOpen = steps.length === 1 && steps[0] === DONE && isStream;
    for (const step of isOpen ? [WORKING, DONE] : steps) this.#step(stored, step);
    return stored;
  }

  #step(stored: StoredTask, step: Step): void {
    const { id: taskId, contextId } = stored;
    if ("state" in step) {
      stored.state = step.state;
      stored.at = ++this.#now;
      stored.events.push({ statusUpdate: { taskId, contextId, status: statusOf(stored) } });
    } else {
      const artifact = { artifactId: `artifact-${stored.artifacts.length + 1}`, parts: [step.part] };
      stored.artifacts.push(artifact);
      stored.events.push({ artifactUpdate: { taskId, contextId, artifact, lastChunk: step.lastChunk ?? true } });
    }
    for (const wake of [...this.#waiting]) wake();
  }

  /** Yields events until the task is in a state that ends the stream. */
  async *#follow(
    stored: StoredTask,
    from: number,
    { signal }: A2aCall,
    ends: ReadonlySet<WireState> = PAUSED_OR_FINAL,
  ): AsyncGenerator<StreamResponse> {
    for (let at = from; !signal.aborted; ) {
      const thrown = this.failStream;
      this.failStream = undefined;
      if (thrown) throw thrown;
      if (at < stored.events.length) yield stored.events[at++]!;
      else if (ends.has(stored.state)) return;
      else await this.#change(signal);
    }
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake);
    });
  }

  #find(id: string, call: A2aCall): StoredTask {
    const stored = this.#tasks.get(id);
    if (stored?.owner !== ownerOf(call)) throw new TaskNotFoundError();
    return stored;
  }
}

function ownerOf({ admission, caller }: A2aCall): string {
  return admission.principal?.accountId ?? caller.ip;
}

function isPausedOrFinal({ state }: StoredTask): boolean {
  return PAUSED_OR_FINAL.has(state);
}

function statusOf({ state, at, id: taskId, contextId }: StoredTask) {
  const message: Message = { ...says("Hello from TCK", `status-${at}`), taskId, contextId };
  return { state, timestamp: new Date(at).toISOString(), message };
}

function submitted({ id, contextId, at }: StoredTask): Task {
  return { id, contextId, status: { state: "TASK_STATE_SUBMITTED", timestamp: new Date(at).toISOString() } };
}

function shown(stored: StoredTask, wanted: { historyLength?: number | undefined; includeArtifacts?: boolean }): Task {
  const { id, contextId, artifacts, history } = stored;
  const { historyLength = history.length, includeArtifacts = false } = wanted;
  return {
    ...{ id, contextId, status: statusOf(stored) },
    ...(includeArtifacts ? { artifacts: [...artifacts] } : {}),
    ...(historyLength > 0 ? { history: history.slice(-historyLength) } : {}),
  };
}

function reply({ messageId, contextId = "context-of-a-message" }: Message): Message {
  return { ...says("Direct message response", `reply-to-${messageId}`), contextId };
}

function says(text: string, messageId: string): Message {
  return { messageId, role: "ROLE_AGENT", parts: [{ text }] };
}
