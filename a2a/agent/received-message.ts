import { createHash } from "node:crypto";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import type { TaskRecord } from "../../src/domain/tasks/read.ts";
import type { TaskTurn } from "../../src/domain/tasks/write.ts";
import { newId, newOrderedId } from "../../src/platform/ids.ts";
import { jsonLength, type RawList, stringifyWith } from "../../src/platform/json/raw-list.ts";
import { hasControl } from "../../src/platform/text.ts";
import type { Message } from "../wire.ts";
import { PAYMENT_PAYLOAD } from "./payment.ts";
import type { TaskNotes } from "./task-notes.ts";

/**
 * A task's history keeps its last messages, without those that have more characters as JSON. The protocol leaves to the
 * agent what it keeps (section 3.2.4); a list of 10,000 URLs is in the project already.
 */
const HISTORY_LIMITS = { characters: 4 * 1024, messages: 20 };

/** A message of a client, and a digest by which it is known when it is sent again. */
export interface ReceivedMessage {
  readonly message: Message;
  /** SHA-256 of all that the message asks for, in hex. */
  readonly digest: string;
}

/** @throws RequestMalformedError for an id that cannot be stored, and for a message nested too deep for JSON */
export async function receive(message: Message): Promise<ReceivedMessage> {
  const { messageId, taskId, contextId, parts, metadata } = message;
  if ([messageId, contextId ?? "", taskId ?? ""].some((id) => hasControl(id) || HALF_CHARACTER.test(id))) {
    throw new RequestMalformedError("An id must not contain control characters or unpaired surrogates.");
  }
  return { message, digest: await digestOf([taskId, contextId, parts, metadata]) };
}

/** A surrogate without its other half, which UTF-8 cannot encode. */
const HALF_CHARACTER = /\p{Surrogate}/u;

/** A list may have 80 MB. It is hashed on another thread, which copies it: piece by piece, so that no copy makes others wait. */
const PIECE = 1024 * 1024;

async function digestOf(content: unknown): Promise<string> {
  const lists: RawList[] = [];
  const digest = createHash("sha256").update(textOf(content, lists));
  for (const { bytes } of lists)
    for (let at = 0; at < bytes.length; at += PIECE)
      digest.update(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes.subarray(at, at + PIECE))));
  return digest.digest("hex");
}

/** The content as JSON, without lists that were kept as they came; those are added to `lists`. */
function textOf(content: unknown, lists: RawList[]): string {
  try {
    return stringifyWith((list) => `list ${lists.push(list)}`, content);
  } catch {
    throw new RequestMalformedError("The message is nested too deep.");
  }
}

/** The turn of a message in its task: a new one, or the open one that waits for input. */
export function turnFor(
  { message, digest }: ReceivedMessage,
  open: TaskRecord | null,
  { skill, notes, now }: { skill: string | null; notes: TaskNotes; now: number },
): TaskTurn {
  const taskId = open?.task.id ?? newOrderedId("tsk", now);
  const contextId = open?.task.contextId ?? message.contextId ?? newId("ctx");
  return {
    taskId,
    contextId,
    skill,
    messageId: message.messageId,
    digest,
    history: historyWith(open, { ...message, taskId, contextId }),
    metadata: JSON.stringify(notes),
    revision: open?.task.revision ?? null,
    stateOnSuccess: "completed",
    withdraws: open?.task.approvalId ?? null,
  };
}

/** A turn of a task that no message makes. What the task has asked becomes part of its history. */
export function turnWithoutMessage(record: TaskRecord, stateOnSuccess: TaskTurn["stateOnSuccess"]): TaskTurn {
  const { id: taskId, contextId, skill, metadata, revision } = record.task;
  const history = JSON.stringify(asked(record).slice(-HISTORY_LIMITS.messages));
  return { taskId, contextId, skill, messageId: null, digest: "", history, metadata, revision, stateOnSuccess };
}

/** The earlier messages, the question that this one answers, and this one. */
function historyWith(open: TaskRecord | null, message: Message): string {
  const before = open ? asked(open) : [];
  return JSON.stringify([...before, ...smallEnough(withoutPayment(message))].slice(-HISTORY_LIMITS.messages));
}

/** The messages of a task, with its question. */
function asked({ task: { history, said } }: TaskRecord): Message[] {
  const question = said === null ? [] : smallEnough(JSON.parse(said) as Message);
  return [...(JSON.parse(history) as Message[]), ...question];
}

/** A signed payment can be spent by whoever reads it, until it is used: it is not kept. */
function withoutPayment({ metadata, ...message }: Message): Message {
  if (!metadata) return message;
  const { [PAYMENT_PAYLOAD]: _, ...rest } = metadata;
  return { ...message, metadata: rest };
}

function smallEnough(message: Message): Message[] {
  return jsonLength(message) <= HISTORY_LIMITS.characters ? [message] : [];
}
