import type { TaskState } from "../../src/domain/tasks/states.ts";
import type { TaskTurn } from "../../src/domain/tasks/write.ts";
import { errorEnvelope, type Refusal } from "../../src/platform/errors/errors.ts";
import { newId } from "../../src/platform/ids.ts";
import { jsonLength } from "../../src/platform/json/raw-list.ts";
import type { AgentSkill } from "../skills.ts";
import type { Json, Message, Part } from "../wire.ts";
import type { TaskNotes } from "./task-notes.ts";

/** What becomes of a task in a turn without a successful call. */
export interface TaskOutcome {
  readonly state: TaskState;
  readonly parts: readonly Part[];
  /** Metadata of the status message. */
  readonly metadata?: Json;
  /** The input so far, kept for the next turn. */
  readonly input?: Json;
  readonly notes?: TaskNotes;
  /** The approval that the task waits for. */
  readonly approvalId?: string;
}

/** Longest input, in characters of JSON, that is kept while more of it is asked for. */
const MAX_KEPT_INPUT = 256 * 1024;

const HOW_TO_CALL =
  'Send one data part {"skill": "<id>", "input": {…}}, or a command such as `help`. A URL or a sentence alone starts nothing.';

/** The outcome of a message that is no call. */
export function unclear(problem: string, skills: readonly AgentSkill[]): TaskOutcome {
  const list = skills.map(({ id, name }) => ({ id, name }));
  return { state: "rejected", parts: [{ text: `${problem} ${HOW_TO_CALL}` }, dataPart({ skills: list })] };
}

/** Asks for the fields that were left out. If the caller cannot come back (`canAsk`), the task is rejected. */
export function missing(skill: AgentSkill, input: Json, fields: readonly string[], canAsk: boolean): TaskOutcome {
  const isKept = canAsk && jsonLength(input) <= MAX_KEPT_INPUT;
  const names = fields.map((field) => `\`${field}\``).join(", ");
  const next = isKept
    ? "Send it to this task in a data part; what you sent before is kept."
    : "Send a new message with the whole input.";
  return {
    state: isKept ? "input_required" : "rejected",
    parts: [
      { text: `${skill.id} needs ${names}. ${next} Nothing was done.` },
      dataPart({
        skill: skill.id,
        issues: fields.map((path) => ({ path, message: "required" })),
        input_schema: skill.inputSchema,
      }),
    ],
    ...(isKept ? { input } : {}),
  };
}

/** The outcome of a refusal (docs/rules.md rule 13): the task is rejected, or failed where the fault is ours. */
export function refused(refusal: Refusal, siteUrl: string): TaskOutcome {
  const state = refusal.code === "internal" ? "failed" : "rejected";
  return { state, parts: [dataPart(errorEnvelope(refusal, siteUrl))] };
}

/** The outcome of a turn that leaves the task waiting as before. */
export function stillWaiting(
  parts: readonly Part[],
  { input, notes, approvalId }: { input: Json; notes: TaskNotes; approvalId: string | null },
): TaskOutcome {
  return { state: "input_required", parts, input, notes, ...(approvalId === null ? {} : { approvalId }) };
}

/** The outcome as the message of the task's status. */
export function statusMessage({ taskId, contextId }: TaskTurn, { parts, metadata }: TaskOutcome): Message {
  const said = metadata ? { parts, metadata } : { parts };
  return { messageId: newId("msg"), role: "ROLE_AGENT", taskId, contextId, ...said };
}

/** How the agent can be called, for a user or a model to read. */
export function helpMessage(skills: readonly AgentSkill[], siteUrl: string, contextId?: string): Message {
  const lines = skills.flatMap(({ id, commands }) => (commands.length > 0 ? [`${commands.join(" | ")}: ${id}`] : []));
  const text = [HOW_TO_CALL, "", "Commands:", ...lines, "", `More: ${siteUrl}/docs`].join("\n");
  const list = skills.map(({ id, name, commands }) => ({ id, name, commands }));
  return {
    messageId: newId("msg"),
    role: "ROLE_AGENT",
    contextId: contextId ?? newId("ctx"),
    parts: [{ text }, dataPart({ skills: list })],
  };
}

export function dataPart(value: unknown): Part {
  return { data: value, mediaType: "application/json" };
}
