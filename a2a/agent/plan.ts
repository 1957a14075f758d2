import { withoutNulls } from "../../src/contract/nulls.ts";
import type { PresentedPayment } from "../../src/domain/payments/orders/presented-payment.ts";
import type { TaskRecord } from "../../src/domain/tasks/read.ts";
import type { AgentSkill } from "../skills.ts";
import { skillOf } from "../skills.ts";
import type { Json, Message } from "../wire.ts";
import type { Intent } from "./interpret.ts";
import { refused, stillWaiting, type TaskOutcome, unclear } from "./outcome.ts";
import { declined, type MessagePayment } from "./payment.ts";
import type { TaskNotes } from "./task-notes.ts";

/** What is done about a message: a skill is called, or the task gets an outcome without a call. */
export type Plan =
  | { readonly skill: AgentSkill; readonly input: Json; readonly payment?: PresentedPayment }
  | { readonly skill: AgentSkill | null; readonly outcome: TaskOutcome };

export interface MessageContext {
  readonly intent: Exclude<Intent, { kind: "help" }>;
  readonly payment: MessagePayment;
  readonly notes: TaskNotes;
  readonly skills: readonly AgentSkill[];
  readonly siteUrl: string;
}

/** The plan for a message that begins a task. */
export function planNewTask({ intent, payment, skills, siteUrl }: MessageContext): Plan {
  if (payment.kind === "refused") return { skill: null, outcome: refused(payment.refusal, siteUrl) };
  if (payment.kind === "rejected") return { skill: null, outcome: unclear("There is no payment to decline.", skills) };
  if (intent.kind === "call") return callOf(intent.skill, intent.input, payment);
  if (intent.kind === "refused") return { skill: null, outcome: refused(intent.refusal, siteUrl) };
  const problem = intent.kind === "unclear" ? intent.problem : "The data part names no skill.";
  return { skill: null, outcome: unclear(problem, skills) };
}

/** The plan for a message in a task that waits for input. One that is not understood leaves the task waiting. */
export function planFollowUp(open: TaskRecord, context: MessageContext): Plan {
  const { intent, payment, notes, skills, siteUrl } = context;
  const skill = skillOf(open.task.skill)!;
  const input = JSON.parse(open.task.input ?? "{}") as Json;
  const question = JSON.parse(open.task.said!) as Message;
  const { approvalId } = open.task;
  const waiting = ({ parts }: Pick<TaskOutcome, "parts">): Plan => ({
    skill,
    outcome: {
      ...stillWaiting(parts, { input, notes, approvalId }),
      ...(question.metadata && { metadata: question.metadata }),
    },
  });
  if (payment.kind === "refused") return waiting(refused(payment.refusal, siteUrl));
  // A payment that was submitted cannot be withdrawn by a message: only the payment itself continues the task.
  if (notes.isPending && payment.kind !== "submitted") return waiting(question);
  if (payment.kind === "rejected") {
    return skill.operation.takesPayment ? { skill, outcome: declined(notes) } : waiting(question);
  }
  if (intent.kind === "call") {
    return callOf(intent.skill, intent.skill === skill ? addedTo(input, skill, intent.input) : intent.input, payment);
  }
  // No message approves a call: only its person does, on the page.
  if (approvalId !== null && intent.kind === "unclear") return waiting(question);
  if (intent.kind === "input") return callOf(skill, addedTo(input, skill, intent.input), payment);
  if (payment.kind === "submitted" && skill.operation.takesPayment) return callOf(skill, input, payment);
  return waiting(intent.kind === "refused" ? refused(intent.refusal, siteUrl) : unclear(intent.problem, skills));
}

/** The input so far, and what a message adds to it. */
function addedTo(input: Json, { operation }: AgentSkill, added: Json): Json {
  return { ...input, ...(withoutNulls(operation, added) as Json) };
}

/** A payment is ignored if the skill takes none. */
function callOf(skill: AgentSkill, input: Json, message: MessagePayment): Plan {
  if (message.kind !== "submitted" || !skill.operation.takesPayment) return { skill, input };
  return { skill, input, payment: message.payment };
}
