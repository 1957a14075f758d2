import { ContentTypeNotSupportedError } from "@a2a-js/sdk/errors";
import { z } from "zod";
import {
  type GetTaskRequest,
  type ListTasksRequest,
  type SendMessageRequest,
  STATES,
  type TaskIdRequest,
} from "../wire.ts";
import { emptyToUndefined, fields, Id, optional, parse, RequiredId, Tenant } from "./fields.ts";
import { PushConfigOfMessage } from "./push-requests.ts";

/**
 * Parses the requests of A2A 1.0 (section 3.2). Unknown fields are dropped (section 5.7), null and an empty id count as
 * absent (ProtoJSON), and no error repeats what was sent.
 */

const MAX_PARTS = 1_000;
const MAX_REFERENCES = 100;
const MAX_TOKEN_LENGTH = 1_024;
const INT32 = 2 ** 31 - 1;

const Metadata = optional(z.record(z.string(), z.unknown()));
const HistoryLength = optional(z.int("a whole number").min(0, "0 or more").max(INT32, `at most ${INT32}`));

const CONTENTS = ["text", "data", "raw", "url"] as const;

const Part = fields({
  text: optional(z.string()),
  // Any JSON value except null, which counts as absent.
  data: optional(z.unknown()),
  raw: optional(z.string().refine((raw) => !/[^\w+/=-]/.test(raw), "base64")),
  url: optional(z.string()),
  mediaType: optional(z.string(), emptyToUndefined),
  filename: optional(z.string(), emptyToUndefined),
  metadata: Metadata,
}).refine(
  (part) => CONTENTS.filter((name) => part[name] !== undefined).length === 1,
  "exactly one of text, data, raw and url",
);

const Message = fields({
  messageId: RequiredId,
  role: z.literal("ROLE_USER", "a client sends ROLE_USER"),
  parts: z.array(Part).min(1, "at least one part").max(MAX_PARTS, `at most ${MAX_PARTS} parts`),
  contextId: optional(Id, emptyToUndefined),
  taskId: optional(Id, emptyToUndefined),
  metadata: Metadata,
  extensions: optional(z.array(z.string()).max(MAX_REFERENCES)),
  referenceTaskIds: optional(z.array(Id).max(MAX_REFERENCES)),
});

const Configuration = fields({
  acceptedOutputModes: optional(z.array(z.string()).max(MAX_REFERENCES)),
  historyLength: HistoryLength,
  returnImmediately: optional(z.boolean()),
  taskPushNotificationConfig: optional(PushConfigOfMessage),
});

const SendMessage = fields({
  tenant: Tenant,
  message: Message,
  configuration: optional(Configuration),
  metadata: Metadata,
});

const unspecified = (value: unknown) => (value === "TASK_STATE_UNSPECIFIED" ? undefined : emptyToUndefined(value));

const ListTasks = fields({
  tenant: Tenant,
  contextId: optional(Id, emptyToUndefined),
  status: optional(z.enum(STATES, "a state such as TASK_STATE_WORKING"), unspecified),
  pageSize: optional(z.int("a whole number").min(1, "1 to 100").max(100, "1 to 100")),
  pageToken: optional(z.string().max(MAX_TOKEN_LENGTH, `at most ${MAX_TOKEN_LENGTH} characters`), emptyToUndefined),
  historyLength: HistoryLength,
  statusTimestampAfter: optional(
    z.iso
      .datetime({ offset: true, error: "a time such as 2026-01-31T12:00:00Z" })
      .transform((time) => new Date(time).toISOString()),
    emptyToUndefined,
  ),
  includeArtifacts: optional(z.boolean()),
});

const GetTask = fields({ tenant: Tenant, id: RequiredId, historyLength: HistoryLength });
const TaskId = fields({ tenant: Tenant, id: RequiredId });

/** @throws Fault INVALID_PARAMS, ContentTypeNotSupportedError */
export function sendMessageRequest(params: unknown): SendMessageRequest {
  const { tenant, ...request } = parse(SendMessage, params);
  if (!request.message.parts.every(isReadable)) {
    const message = "Files and URLs of files are not accepted: send text/plain or application/json.";
    throw new ContentTypeNotSupportedError(message);
  }
  return request as SendMessageRequest;
}

/** Whether a part is text or data, of any media type of text or JSON (section 3.1.1). */
function isReadable({ raw, url, mediaType = "text/plain" }: z.output<typeof Part>): boolean {
  const isFile = raw !== undefined || url !== undefined;
  return !isFile && /^(text\/|application\/([\w.-]+\+)?json\s*(;|$))/i.test(mediaType.trim());
}

/** @throws Fault INVALID_PARAMS */
export function getTaskRequest(params: unknown): GetTaskRequest {
  const { tenant, ...request } = parse(GetTask, params);
  return request as GetTaskRequest;
}

/** @throws Fault INVALID_PARAMS */
export function listTasksRequest(params: unknown): ListTasksRequest {
  const { tenant, ...request } = parse(ListTasks, params ?? {});
  return request as ListTasksRequest;
}

/** @throws Fault INVALID_PARAMS */
export function taskIdRequest(params: unknown): TaskIdRequest {
  return { id: parse(TaskId, params).id };
}
