import type { Admission, Caller } from "../src/contract/authenticate.ts";
import type {
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
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
} from "./wire.ts";

/** Who sends a request, and how. Its parameters are passed separately. */
export interface A2aCall {
  readonly caller: Caller;
  readonly admission: Admission;
  /** The header Idempotency-Key, which counts as the field of the input. */
  readonly idempotencyKey?: string | undefined;
  /** URIs that the client asked to activate (A2A-Extensions, section 3.2.6). */
  readonly extensions: readonly string[];
  /** The version of the protocol that the client speaks, and is told by push notifications in; default: 1.0. */
  readonly protocol?: "0.3" | undefined;
  /** Aborted when the client has gone, or the service stops. */
  readonly signal: AbortSignal;
  /** Says that the answer uses an extension. */
  activate(uri: string): void;
}

/**
 * The methods of the agent (A2A 1.0 section 3.1), the same for every binding. Requests have been validated against
 * the protocol. The inputs of skills in them have not.
 *
 * Each method throws a Refusal if the answer is an HTTP status (unauthorized, insufficient_scope, rate_limited), and
 * an error of `@a2a-js/sdk/errors` if it is an error of the protocol. If the operation refuses, the task is rejected.
 */
export interface A2aMethods {
  sendMessage(request: SendMessageRequest, call: A2aCall): Promise<SendMessageResponse>;
  /** The first event is a task or a message; it ends when the task is over or interrupted (section 3.1.2). */
  streamMessage(request: SendMessageRequest, call: A2aCall): AsyncIterable<StreamResponse>;
  getTask(request: GetTaskRequest, call: A2aCall): Promise<Task>;
  listTasks(request: ListTasksRequest, call: A2aCall): Promise<ListTasksResponse>;
  cancelTask(request: TaskIdRequest, call: A2aCall): Promise<Task>;
  /** A task that is over is an UnsupportedOperationError (section 3.1.6). */
  subscribe(request: TaskIdRequest, call: A2aCall): AsyncIterable<StreamResponse>;
  /** One with the same id by the same credential is replaced (section 3.1.7). */
  createPushConfig(request: PushConfigDraft & { readonly taskId: string }, call: A2aCall): Promise<TaskPushConfig>;
  getPushConfig(request: PushConfigRequest, call: A2aCall): Promise<TaskPushConfig>;
  listPushConfigs(request: TaskPushConfigsRequest, call: A2aCall): Promise<TaskPushConfigsResponse>;
  /** Deleting one that is not there is no error (section 3.1.10). */
  deletePushConfig(request: PushConfigRequest, call: A2aCall): Promise<object>;
}
