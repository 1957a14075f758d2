import { TASK, type TaskState } from "../../src/domain/tasks/states.ts";
import type { TaskTurn } from "../../src/domain/tasks/write.ts";
import { errorEnvelope, type Refusal } from "../../src/platform/errors/errors.ts";
import { newId } from "../../src/platform/ids.ts";
import type { AgentSkill } from "../skills.ts";
import type { Json, Message, Part } from "../wire.ts";
import type { Notes } from "./received-message.ts";

/** What a turn comes to where no call has succeeded. */
export interface Ending {
  readonly state: TaskState;
  readonly parts: readonly Part[];
  /** Of the message. */
  readonly metadata?: Json;
  /** What is kept for the next turn. */
  readonly input?: Json;
  readonly notes?: Notes;
}

/** Longest input, in characters of JSON, that is kept while more of it is asked for. */
const LONGEST_INPUT = 256 * 1024;

const CALLING =
  'Send one data part {"skill": "<id>", "input": {…}}, or a command such as `help`. Addresses and sentences alone start nothing.';

/** Asked in a task that waits, a message that is no call leaves it waiting. */
export function unclear(problem: string, skills: readonly AgentSkill[]): Ending {
  const list = skills.map(({ id, name }) => ({ id, name }));
  return { state: TASK.rejected, parts: [{ text: `${problem} ${CALLING}` }, data({ skills: list })] };
}

/** Asks for the fields that were left out; a caller that cannot come back is told of them. */
export function missing(skill: AgentSkill, input: Json, fields: readonly string[], canAsk: boolean): Ending {
  const isKept = canAsk && JSON.stringify(input).length <= LONGEST_INPUT;
  const names = fields.map((field) => `\`${field}\``).join(", ");
  const next = isKept
    ? "Send a data part with it on this task; what was sent before is kept."
    : "Send a new message with the whole input.";
  return {
    state: isKept ? TASK.inputRequired : TASK.rejected,
    parts: [
      { text: `${skill.id} needs ${names}. ${next} Nothing was done.` },
      data({
        skill: skill.id,
        issues: fields.map((path) => ({ path, message: "required" })),
        input_schema: skill.inputSchema,
      }),
    ],
    ...(isKept ? { input } : {}),
  };
}

/** What a refusal makes of a task (docs/rules.md rule 13): a "no" rejects it, a fault of ours fails it. */
export function refused(refusal: Refusal, siteUrl: string): Ending {
  const state = refusal.code === "internal" ? TASK.failed : TASK.rejected;
  return { state, parts: [data(errorEnvelope(refusal, siteUrl))] };
}

/** The same, without an end: the task goes on waiting for what it waited for. */
export function stillWaiting(parts: readonly Part[], input: Json, notes: Notes): Ending {
  return { state: TASK.inputRequired, parts, input, notes };
}

/** As the status of the task says it. */
export function messageOf({ taskId, contextId }: TaskTurn, { parts, metadata }: Ending): Message {
  const said = metadata ? { parts, metadata } : { parts };
  return { messageId: newId("msg"), role: "ROLE_AGENT", taskId, contextId, ...said };
}

/** What can be said to the agent, for a person or a model to read. */
export function helpIn(skills: readonly AgentSkill[], siteUrl: string, contextId?: string): Message {
  const lines = skills.flatMap(({ id, commands }) => (commands.length > 0 ? [`${commands.join(" | ")}: ${id}`] : []));
  const text = [CALLING, "", "Commands:", ...lines, "", `More: ${siteUrl}/docs`].join("\n");
  const list = skills.map(({ id, name, commands }) => ({ id, name, commands }));
  return {
    messageId: newId("msg"),
    role: "ROLE_AGENT",
    contextId: contextId ?? newId("ctx"),
    parts: [{ text }, data({ skills: list })],
  };
}

export function data(value: unknown): Part {
  return { data: value, mediaType: "application/json" };
}
