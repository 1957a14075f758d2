import { ContentTypeNotSupportedError, PushNotificationNotSupportedError } from "@a2a-js/sdk/errors";
import { z } from "zod";
import { isStorable } from "../../src/platform/text.ts";
import {
  type GetTaskRequest,
  type ListTasksRequest,
  type SendMessageRequest,
  STATES,
  type TaskIdRequest,
} from "../wire.ts";
import { Fault, type Violation } from "./errors.ts";

/**
 * Parses the requests of A2A 1.0 (section 3.2). Unknown fields are dropped (section 5.7), null and an empty id count as
 * absent (ProtoJSON), and no error repeats what was sent.
 */

/** Longest id, in UTF-16 code units. Our own have 26. */
const MAX_ID_LENGTH = 256;
const MAX_PARTS = 1_000;
const MAX_REFERENCES = 100;
const MAX_TOKEN_LENGTH = 1_024;
const INT32 = 2 ** 31 - 1;

const nullToUndefined = (value: unknown) => value ?? undefined;
const emptyToUndefined = (value: unknown) => (value === "" ? undefined : nullToUndefined(value));

function optional<T extends z.ZodType>(schema: T, empty: (value: unknown) => unknown = nullToUndefined) {
  return z.preprocess(empty, schema.optional()).optional();
}

/** An object whose fields may also have their names in a2a.proto, as ProtoJSON allows: `task_id` for `taskId`. */
function fields<T extends z.ZodRawShape>(shape: T) {
  const aliases = Object.keys(shape).map((name) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    name,
  ]);
  const withoutAliases = (value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const own = value as Record<string, unknown>;
    const found = aliases.filter(([alias, name]) => alias !== name && Object.hasOwn(own, alias!));
    return { ...Object.fromEntries(found.map(([alias, name]) => [name, own[alias!]])), ...own };
  };
  return z.preprocess(withoutAliases, z.object(shape));
}

const Id = z
  .string()
  .max(MAX_ID_LENGTH, `at most ${MAX_ID_LENGTH} characters`)
  .refine(isStorable, "text without U+0000 and unpaired surrogates");
const RequiredId = Id.min(1, "required, and not empty");
const Metadata = optional(z.record(z.string(), z.unknown()));
const Tenant = optional(z.string().refine((tenant) => tenant === "", "this service has no tenants: omit it"));
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
  taskPushNotificationConfig: optional(z.record(z.string(), z.unknown())),
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

/** @throws Fault INVALID_PARAMS, PushNotificationNotSupportedError, ContentTypeNotSupportedError */
export function sendMessageRequest(params: unknown): SendMessageRequest {
  const { tenant, ...request } = parse(SendMessage, params);
  // Refused rather than ignored, so that the client does not wait for a notification (section 3.3.4).
  if (request.configuration?.taskPushNotificationConfig) throw noPushNotifications();
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

export function noPushNotifications(): Error {
  const message =
    "Push notifications are not supported. Stream the task with SubscribeToTask, or poll it with GetTask.";
  return new PushNotificationNotSupportedError(message);
}

function parse<T extends z.ZodType>(schema: T, params: unknown): z.output<T> {
  if (typeof params !== "object" || params === null || Array.isArray(params)) {
    throw new Fault("INVALID_PARAMS", "The parameters must be an object.", [
      { field: "params", description: "must be an object" },
    ]);
  }
  const parsed = schema.safeParse(params, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const violations = parsed.error.issues.slice(0, 20).map(violationOf);
  const { field, description } = violations[0]!;
  throw new Fault("INVALID_PARAMS", `Invalid parameters. \`${field}\`: ${description}.`, violations);
}

function describeIssue({ code, input, ...issue }: z.core.$ZodRawIssue): string | undefined {
  if (code !== "invalid_type") return undefined;
  return input === undefined ? "required" : `must be ${TYPE_WORDS[String(issue.expected)] ?? "of another type"}`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "a text",
  array: "a list",
  object: "an object",
  record: "an object",
  number: "a number",
  boolean: "true or false",
};

function violationOf({ path, message }: z.core.$ZodIssue): Violation {
  const field = path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : `${text}${text && "."}${String(part)}`),
    "",
  );
  return { field, description: message };
}
