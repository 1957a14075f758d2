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
 * Requests of A2A 1.0 (section 3.2) out of what came. Unknown fields are left out (section 5.7), null and an empty id are
 * as if they were not there (ProtoJSON), and no error repeats what was sent.
 */

/** Longest id, in code units: ours are 26, and what is longer was not given out here. */
const LONGEST_ID = 256;
const MOST_PARTS = 1_000;
const MOST_REFERENCES = 100;
const LONGEST_TOKEN = 1_024;
const INT32 = 2 ** 31 - 1;

const absent = (value: unknown) => value ?? undefined;
const unset = (value: unknown) => (value === "" ? undefined : absent(value));

function may<T extends z.ZodType>(schema: T, empty: (value: unknown) => unknown = absent) {
  return z.preprocess(empty, schema.optional()).optional();
}

/** An object whose fields may have the names of a2a.proto too, as ProtoJSON has it: `task_id` is `taskId`. */
function fields<T extends z.ZodRawShape>(shape: T) {
  const aliases = Object.keys(shape).map((name) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    name,
  ]);
  const renamed = (value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const own = value as Record<string, unknown>;
    const found = aliases.filter(([alias, name]) => alias !== name && Object.hasOwn(own, alias!));
    return { ...Object.fromEntries(found.map(([alias, name]) => [name, own[alias!]])), ...own };
  };
  return z.preprocess(renamed, z.object(shape));
}

const Id = z
  .string()
  .max(LONGEST_ID, `at most ${LONGEST_ID} characters`)
  .refine(isStorable, "text without U+0000 and halves of characters");
const RequiredId = Id.min(1, "needed, and not empty");
const Metadata = may(z.record(z.string(), z.unknown()));
const Tenant = may(z.string().refine((tenant) => tenant === "", "this service has no tenants: leave it out"));
const HistoryLength = may(z.int("a whole number").min(0, "0 or more").max(INT32, `at most ${INT32}`));

const CONTENTS = ["text", "data", "raw", "url"] as const;

const Part = fields({
  text: may(z.string()),
  // Any JSON value but null, which is nothing here as everywhere.
  data: may(z.unknown()),
  raw: may(z.string().refine((raw) => !/[^\w+/=-]/.test(raw), "base64")),
  url: may(z.string()),
  mediaType: may(z.string(), unset),
  filename: may(z.string(), unset),
  metadata: Metadata,
}).refine(
  (part) => CONTENTS.filter((name) => part[name] !== undefined).length === 1,
  "exactly one of text, data, raw and url",
);

const Message = fields({
  messageId: RequiredId,
  role: z.literal("ROLE_USER", "a client sends ROLE_USER"),
  parts: z.array(Part).min(1, "at least one part").max(MOST_PARTS, `at most ${MOST_PARTS} parts`),
  contextId: may(Id, unset),
  taskId: may(Id, unset),
  metadata: Metadata,
  extensions: may(z.array(z.string()).max(MOST_REFERENCES)),
  referenceTaskIds: may(z.array(Id).max(MOST_REFERENCES)),
});

const Configuration = fields({
  acceptedOutputModes: may(z.array(z.string()).max(MOST_REFERENCES)),
  historyLength: HistoryLength,
  returnImmediately: may(z.boolean()),
  taskPushNotificationConfig: may(z.record(z.string(), z.unknown())),
});

const SendMessage = fields({
  tenant: Tenant,
  message: Message,
  configuration: may(Configuration),
  metadata: Metadata,
});

const unspecified = (value: unknown) => (value === "TASK_STATE_UNSPECIFIED" ? undefined : unset(value));

const ListTasks = fields({
  tenant: Tenant,
  contextId: may(Id, unset),
  status: may(z.enum(STATES, "a state such as TASK_STATE_WORKING"), unspecified),
  pageSize: may(z.int("a whole number").min(1, "1 to 100").max(100, "1 to 100")),
  pageToken: may(z.string().max(LONGEST_TOKEN, `at most ${LONGEST_TOKEN} characters`), unset),
  historyLength: HistoryLength,
  statusTimestampAfter: may(
    z.iso
      .datetime({ offset: true, error: "a time such as 2026-01-31T12:00:00Z" })
      .transform((time) => new Date(time).toISOString()),
    unset,
  ),
  includeArtifacts: may(z.boolean()),
});

const GetTask = fields({ tenant: Tenant, id: RequiredId, historyLength: HistoryLength });
const TaskId = fields({ tenant: Tenant, id: RequiredId });

/** @throws Fault INVALID_PARAMS, PushNotificationNotSupportedError, ContentTypeNotSupportedError */
export function sendMessageRequest(params: unknown): SendMessageRequest {
  const { tenant, ...request } = read(SendMessage, params);
  // Nobody shall wait for a call that never comes (section 3.3.4).
  if (request.configuration?.taskPushNotificationConfig) throw noPushNotifications();
  if (!request.message.parts.every(isRead)) {
    const message = "Files are not taken, nor addresses of files: send text/plain or application/json.";
    throw new ContentTypeNotSupportedError(message);
  }
  return request as SendMessageRequest;
}

/** Text and data are read, of whatever kind of text and JSON they call themselves (section 3.1.1). */
function isRead({ raw, url, mediaType = "text/plain" }: z.output<typeof Part>): boolean {
  const isFile = raw !== undefined || url !== undefined;
  return !isFile && /^(text\/|application\/([\w.-]+\+)?json\s*(;|$))/i.test(mediaType.trim());
}

/** @throws Fault INVALID_PARAMS */
export function getTaskRequest(params: unknown): GetTaskRequest {
  const { tenant, ...request } = read(GetTask, params);
  return request as GetTaskRequest;
}

/** @throws Fault INVALID_PARAMS */
export function listTasksRequest(params: unknown): ListTasksRequest {
  const { tenant, ...request } = read(ListTasks, params ?? {});
  return request as ListTasksRequest;
}

/** @throws Fault INVALID_PARAMS */
export function taskIdRequest(params: unknown): TaskIdRequest {
  return { id: read(TaskId, params).id };
}

export function noPushNotifications(): Error {
  const message = "Push notifications are not sent. Stream the task with SubscribeToTask, or ask with GetTask.";
  return new PushNotificationNotSupportedError(message);
}

function read<T extends z.ZodType>(schema: T, params: unknown): z.output<T> {
  if (typeof params !== "object" || params === null || Array.isArray(params)) {
    throw new Fault("INVALID_PARAMS", "The parameters have to be an object.", [
      { field: "params", description: "has to be an object" },
    ]);
  }
  const parsed = schema.safeParse(params, { error: said });
  if (parsed.success) return parsed.data;
  const violations = parsed.error.issues.slice(0, 20).map(violationOf);
  const { field, description } = violations[0]!;
  throw new Fault("INVALID_PARAMS", `Invalid parameters. \`${field}\`: ${description}.`, violations);
}

function said({ code, input, ...issue }: z.core.$ZodRawIssue): string | undefined {
  if (code !== "invalid_type") return undefined;
  return input === undefined ? "needed" : `has to be ${ARTICLES[String(issue.expected)] ?? "of another type"}`;
}

const ARTICLES: Readonly<Record<string, string>> = {
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
