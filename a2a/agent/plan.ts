import type { PresentedPayment } from "../../src/domain/payments/orders/presented-payment.ts";
import type { TaskRecord } from "../../src/domain/tasks/read.ts";
import type { AgentSkill } from "../skills.ts";
import { skillOf } from "../skills.ts";
import type { Json, Message } from "../wire.ts";
import type { Meant } from "./interpret.ts";
import { type Ending, refused, stillWaiting, unclear } from "./outcome.ts";
import { declined, type Paying } from "./payment.ts";
import type { Notes } from "./received-message.ts";

/** What is done about a message. */
export type Plan =
  | { readonly skill: AgentSkill; readonly input: Json; readonly payment?: PresentedPayment }
  | { readonly skill: AgentSkill | null; readonly ending: Ending };

export interface Situation {
  readonly meant: Exclude<Meant, { is: "help" }>;
  readonly paying: Paying;
  readonly notes: Notes;
  readonly skills: readonly AgentSkill[];
  readonly siteUrl: string;
}

/** Of a message that begins a task. */
export function planOfFirst({ meant, paying, skills, siteUrl }: Situation): Plan {
  if (paying.is === "refused") return { skill: null, ending: refused(paying.refusal, siteUrl) };
  if (paying.is === "rejected") return { skill: null, ending: unclear("There is no payment to decline.", skills) };
  if (meant.is === "call") return withPayment(meant.skill, meant.input, paying);
  if (meant.is === "refused") return { skill: null, ending: refused(meant.refusal, siteUrl) };
  const problem = meant.is === "unclear" ? meant.problem : "The data part names no skill.";
  return { skill: null, ending: unclear(problem, skills) };
}

/** Of a message in a task that waits for input. What cannot be understood leaves it waiting. */
export function planOfNext(open: TaskRecord, situation: Situation): Plan {
  const { meant, paying, notes, skills, siteUrl } = situation;
  const skill = skillOf(open.task.skill)!;
  const input = JSON.parse(open.task.input ?? "{}") as Json;
  const question = JSON.parse(open.task.said!) as Message;
  const waiting = (ending: Pick<Ending, "parts">): Plan => ({
    skill,
    ending: { ...stillWaiting(ending.parts, input, notes), ...(question.metadata && { metadata: question.metadata }) },
  });
  if (paying.is === "refused") return waiting(refused(paying.refusal, siteUrl));
  // Money that was handed over cannot be taken back by words: only the payment itself goes on.
  if (notes.isPending && paying.is !== "submitted") return waiting(question);
  if (paying.is === "rejected") {
    return skill.operation.takesPayment ? { skill, ending: declined(notes) } : waiting(question);
  }
  if (meant.is === "call") {
    const merged = meant.skill === skill ? { ...input, ...meant.input } : meant.input;
    return withPayment(meant.skill, merged, paying);
  }
  if (meant.is === "input") return withPayment(skill, { ...input, ...meant.input }, paying);
  if (paying.is === "submitted" && skill.operation.takesPayment) return withPayment(skill, input, paying);
  return waiting(meant.is === "refused" ? refused(meant.refusal, siteUrl) : unclear(meant.problem, skills));
}

/** A payment beside a skill that takes none is not looked at. */
function withPayment(skill: AgentSkill, input: Json, paying: Paying): Plan {
  if (paying.is !== "submitted" || !skill.operation.takesPayment) return { skill, input };
  return { skill, input, payment: paying.payment };
}
