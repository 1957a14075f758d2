import { createHash } from "node:crypto";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import type { TaskRecord } from "../../src/domain/tasks/read.ts";
import { TASK } from "../../src/domain/tasks/states.ts";
import type { TaskTurn } from "../../src/domain/tasks/write.ts";
import { newId, newOrderedId } from "../../src/platform/ids.ts";
import { hasControl } from "../../src/platform/text.ts";
import type { Message } from "../wire.ts";
import { PAYLOAD } from "./payment.ts";

/**
 * What is kept of the messages of a task: each of at most so many characters of JSON, and the last so many. The protocol
 * leaves to the agent what it keeps (section 3.2.4); a list of 10,000 URLs stands in the project already.
 */
const KEPT = { characters: 4 * 1024, messages: 20 };

/** A message, and what is the same about it when it is sent again. */
export interface Asked {
  readonly message: Message;
  readonly digest: string;
}

/** What a surface keeps with a task. */
export interface Notes {
  /** Its client speaks x402. */
  readonly x402?: boolean;
  /** A payment was handed over, and its outcome is not known yet. */
  readonly isPending?: boolean;
}

/** @throws RequestMalformedError for ids of control characters, and for what is nested too deep to be written down */
export function askedIn(message: Message): Asked {
  const { messageId, taskId, contextId, parts, metadata } = message;
  if ([messageId, contextId ?? "", taskId ?? ""].some((id) => hasControl(id) || HALF_CHARACTER.test(id))) {
    throw new RequestMalformedError("Ids have no control characters, and no halves of a character.");
  }
  return { message, digest: digestOf([taskId, contextId, parts, metadata]) };
}

/** A surrogate without its other half, which no text in UTF-8 can keep. */
const HALF_CHARACTER = /\p{Surrogate}/u;

function digestOf(asked: unknown): string {
  try {
    return createHash("sha256").update(JSON.stringify(asked)).digest("hex");
  } catch {
    throw new RequestMalformedError("The message is nested too deep.");
  }
}

/** The turn that a message is, in a new task or in one that waits for it. */
export function turnOf(
  { message, digest }: Asked,
  open: TaskRecord | null,
  { skill, notes, now }: { skill: string | null; notes: Notes; now: number },
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
    version: open?.task.version ?? null,
    stateOnSuccess: TASK.completed,
  };
}

export function notesOf(record: TaskRecord | null): Notes {
  return JSON.parse(record?.task.metadata ?? "{}") as Notes;
}

/** The messages so far, the question that this one answers, and this one. */
function historyWith(open: TaskRecord | null, message: Message): string {
  const before = open ? [...(JSON.parse(open.task.history) as Message[]), ...questionOf(open)] : [];
  return JSON.stringify([...before, ...small(withoutPayment(message))].slice(-KEPT.messages));
}

function questionOf({ task: { said } }: TaskRecord): Message[] {
  return said === null ? [] : small(JSON.parse(said) as Message);
}

/** A signed payment is as good as money until it is used. */
function withoutPayment({ metadata, ...message }: Message): Message {
  if (!metadata) return message;
  const { [PAYLOAD]: _, ...rest } = metadata;
  return { ...message, metadata: rest };
}

function small(message: Message): Message[] {
  return JSON.stringify(message).length <= KEPT.characters ? [message] : [];
}
