/**
 * The objects of A2A 1.0 in their form on the wire (ProtoJSON of a2a.proto, package lf.a2a.v1; specification section 4).
 * Both bindings share it, and this folder uses no other.
 */

export type Json = Record<string, unknown>;

export type Role = "ROLE_USER" | "ROLE_AGENT";

/** States of a task (a2a.proto, TaskState). */
export const STATES = [
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_REJECTED",
  "TASK_STATE_AUTH_REQUIRED",
] as const;

export type WireState = (typeof STATES)[number];

/** Exactly one of text, data, raw (base64) and url. */
export interface Part {
  readonly text?: string;
  readonly data?: unknown;
  readonly raw?: string;
  readonly url?: string;
  readonly mediaType?: string;
  readonly filename?: string;
  readonly metadata?: Json;
}

export interface Message {
  readonly messageId: string;
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly contextId?: string;
  readonly taskId?: string;
  readonly metadata?: Json;
  readonly extensions?: readonly string[];
  readonly referenceTaskIds?: readonly string[];
}

export interface TaskStatus {
  readonly state: WireState;
  readonly message?: Message;
  /** ISO 8601, UTC, ms. */
  readonly timestamp: string;
}

export interface Artifact {
  readonly artifactId: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts: readonly Part[];
  readonly metadata?: Json;
}

export interface Task {
  readonly id: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly artifacts?: readonly Artifact[];
  readonly history?: readonly Message[];
  readonly metadata?: Json;
}

/** One event of a stream: exactly one member. */
export type StreamResponse =
  | { readonly task: Task }
  | { readonly message: Message }
  | { readonly statusUpdate: { taskId: string; contextId: string; status: TaskStatus; metadata?: Json } }
  | { readonly artifactUpdate: { taskId: string; contextId: string; artifact: Artifact; lastChunk?: boolean } };

export interface SendMessageRequest {
  readonly message: Message;
  readonly configuration?: {
    readonly acceptedOutputModes?: readonly string[];
    readonly historyLength?: number;
    readonly returnImmediately?: boolean;
    readonly taskPushNotificationConfig?: PushConfigDraft;
  };
  readonly metadata?: Json;
}

/** Where a client wants to be told of a task (section 4.3.1). */
export interface PushConfigDraft {
  /** Chosen by the client; default: one that follows from the URL. */
  readonly id?: string;
  readonly url: string;
  /** Sent back in the header `X-A2A-Notification-Token`. */
  readonly token?: string;
  /** Sent in the header `Authorization`. */
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
}

/** A push configuration as it is answered: without its secrets. */
export interface TaskPushConfig {
  readonly taskId: string;
  readonly id: string;
  readonly url: string;
  readonly authentication?: { readonly scheme: string };
}

export interface PushConfigRequest {
  readonly taskId: string;
  readonly id: string;
}

export interface TaskPushConfigsRequest {
  readonly taskId: string;
}

export interface TaskPushConfigsResponse {
  /** All of them: there is one page. */
  readonly configs: readonly TaskPushConfig[];
}

export type SendMessageResponse = { readonly task: Task } | { readonly message: Message };

export interface GetTaskRequest {
  readonly id: string;
  readonly historyLength?: number;
}

export interface ListTasksRequest {
  readonly contextId?: string;
  readonly status?: WireState;
  /** 1 to 100, default 50. */
  readonly pageSize?: number;
  readonly pageToken?: string;
  readonly historyLength?: number;
  /** ISO 8601; only tasks whose state changed then or later. */
  readonly statusTimestampAfter?: string;
  readonly includeArtifacts?: boolean;
}

export interface ListTasksResponse {
  readonly tasks: readonly Task[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}

export interface TaskIdRequest {
  readonly id: string;
}
