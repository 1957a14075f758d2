import { RequestMalformedError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { isHttpRefusal } from "../../src/contract/http-refusal.ts";
import { invalidInput, unknownFields } from "../../src/contract/parse-input.ts";
import type { PresentedPayment } from "../../src/domain/payments/orders/presented-payment.ts";
import { startProjectTask } from "../../src/domain/tasks/project-tasks.ts";
import { type TaskRecord, taskOfMessage } from "../../src/domain/tasks/read.ts";
import { isTerminal } from "../../src/domain/tasks/states.ts";
import type { TaskTurn } from "../../src/domain/tasks/write.ts";
import { type ErrorCode, type Refusal, toRefusal } from "../../src/platform/errors/errors.ts";
import type { A2aCall } from "../methods.ts";
import {
  type AgentSkill,
  allSkills,
  operationNamed,
  requiredFields,
  skillOf,
  skillsOf,
  WATCH_PROJECT,
} from "../skills.ts";
import type { Json, Message } from "../wire.ts";
import { findTask, requireVisible, settledTask } from "./access.ts";
import { awaitsApproval, withKey } from "./approval.ts";
import type { AgentDeps } from "./deps.ts";
import { interpret } from "./interpret.ts";
import { helpMessage, missing, refused, stillWaiting, type TaskOutcome } from "./outcome.ts";
import { activateX402, PAYMENT_PAYLOAD, paymentIn, unpaid } from "./payment.ts";
import { type Plan, planFollowUp, planNewTask } from "./plan.ts";
import { type ReceivedMessage, turnFor } from "./received-message.ts";
import { notesOf, type TaskNotes } from "./task-notes.ts";
import { TaskWriter } from "./task-writer.ts";

/** The answer to a message: a message, or its task; `isNew` unless it was handled before. */
export type MessageResult = { readonly message: Message } | { readonly record: TaskRecord; readonly isNew: boolean };

/** Refusals after which the same call may succeed in a moment. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set(["idempotency_in_flight", "unavailable"]);

/** One attempt to handle one message. */
export class MessageHandler {
  readonly #deps: AgentDeps;
  readonly #received: ReceivedMessage;
  readonly #call: A2aCall;
  readonly #tasks: TaskWriter;
  #open: TaskRecord | null = null;
  #notes: TaskNotes = {};

  constructor(deps: AgentDeps, received: ReceivedMessage, call: A2aCall) {
    this.#deps = deps;
    this.#received = received;
    this.#call = call;
    this.#tasks = new TaskWriter(deps.services, call.admission.principal?.accountId ?? null);
  }

  /** @returns null if another message has changed the task in the meantime, and this one has to be handled again */
  async handle(): Promise<MessageResult | null> {
    const { message } = this.#received;
    const speaksX402 = this.#config.direct !== undefined && activateX402(this.#call, message);
    // The task is read before its messages: where it is over, the message that ended it is found, which may be this one.
    const named = await this.#namedTask();
    const earlier = await this.#earlierTask();
    if (earlier) return { record: earlier, isNew: false };
    this.#open = this.#openTask(named);
    this.#notes = { ...notesOf(this.#open), ...(speaksX402 ? { x402: true } : {}) };
    const { siteUrl } = this.#config;
    const skills = skillsOf(this.#config);
    const intent = interpret(message, allSkills);
    if (intent.kind === "help") {
      return { message: helpMessage(skills, siteUrl, this.#open?.task.contextId ?? message.contextId) };
    }
    const context = { intent, payment: paymentIn(message), notes: this.#notes, skills, siteUrl };
    const plan = this.#open ? planFollowUp(this.#open, context) : planNewTask(context);
    return "outcome" in plan ? this.#write(plan.skill, plan.outcome) : this.#perform(plan);
  }

  /** The task of this message, if it was handled before. @throws RequestMalformedError for the id of another message */
  async #earlierTask(): Promise<TaskRecord | null> {
    const { admission, caller } = this.#call;
    if (!admission.principal) return null;
    const { message, digest } = this.#received;
    const found = await taskOfMessage(this.#deps.services.db, admission.principal.accountId, message.messageId);
    if (!found) return null;
    const skill = skillOf(found.record.task.skill);
    if (skill) this.#deps.guard.authorize(skill.operation, admission, caller);
    if (found.digest === digest) return findTask(this.#deps.services, admission.principal, found.record.task.id);
    throw new RequestMalformedError("This messageId was used for another message. Every message needs its own.");
  }

  async #namedTask(): Promise<TaskRecord | null> {
    const { taskId } = this.#received.message;
    const { principal } = this.#call.admission;
    if (taskId === undefined || !principal) return null;
    const { db, clock } = this.#deps.services;
    return settledTask({ db, now: clock.now() }, principal.accountId, taskId);
  }

  /** The task that the message continues; null where it begins one. @throws Refusal unauthorized, and errors of the protocol */
  #openTask(named: TaskRecord | null): TaskRecord | null {
    const { taskId, contextId } = this.#received.message;
    if (taskId === undefined) return null;
    const record = requireVisible(named, this.#deps.guard.requireCredential(this.#call.admission, this.#call.caller));
    if (contextId !== undefined && contextId !== record.task.contextId) {
      throw new RequestMalformedError("The task belongs to another context. Omit contextId, or send the task's.");
    }
    if (isTerminal(record.task.state)) {
      throw new UnsupportedOperationError("The task has ended. Send a message without taskId to start a new one.");
    }
    if (record.task.state === "working") {
      throw new UnsupportedOperationError(
        "The task accepts no messages while it is working. Cancel it, or start a new one.",
      );
    }
    return record;
  }

  async #perform({ skill, input, payment }: Extract<Plan, { input: Json }>): Promise<MessageResult | null> {
    const { admission, caller } = this.#call;
    this.#deps.guard.authorize(skill.operation, admission, caller);
    const unknown = unknownFields(skill.operation, input);
    const fields = requiredFields(skill).filter((field) => (input[field] ?? null) === null);
    // What is asked for is added to what was sent, which would stay misspelt.
    if (fields.length > 0 && unknown.length > 0) {
      return this.#write(skill, this.#outcomeOf(invalidInput(unknown), { skill, input, isPaid: false }));
    }
    if (fields.length > 0) {
      return this.#write(skill, { ...missing(skill, input, fields, admission.principal !== null), notes: this.#notes });
    }
    const turn = turnFor(this.#received, this.#open, { skill: skill.id, notes: this.#notes, now: this.#now });
    try {
      return await this.#run(skill, input, { payment, turn });
    } catch (thrown) {
      const refusal = toRefusal(thrown);
      if (isHttpRefusal(refusal)) throw this.#deps.guard.withChallenge(refusal, caller);
      if (await this.#tasks.hasConflict(turn)) return null;
      if (refusal !== thrown) this.#deps.log.error({ err: thrown, skill: skill.id }, "a call of an agent failed");
      const outcome = this.#outcomeOf(refusal, { skill, input, isPaid: payment !== undefined });
      // The outcome of a payment says itself what may be sent again.
      const isTransient = TRANSIENT.has(refusal.code) && !skill.operation.takesPayment;
      return isTransient ? this.#writeUnhandled(skill, outcome, input) : this.#write(skill, outcome);
    }
  }

  async #run(
    skill: AgentSkill,
    input: Json,
    { payment, turn }: { payment: PresentedPayment | undefined; turn: TaskTurn },
  ): Promise<MessageResult> {
    const { executor, services } = this.#deps;
    const { principal, requestsToday } = this.#call.admission;
    const { idempotencyKey } = this.#call;
    const call = { input, idempotencyKey, payment, audience: "agent", principal, requestsToday } as const;
    if (skill.id === WATCH_PROJECT) {
      const { text } = await executor.run({ ...call, operation: operationNamed("get_project") });
      const { id } = JSON.parse(text) as { id: string };
      await startProjectTask(services.db, principal!.accountId, turn, id, services.clock.now());
      return { record: await this.#tasks.read(turn), isNew: true };
    }
    const { operation } = skill;
    const answer = await executor.run({ ...call, operation, ...(principal && { turn }) });
    return { record: await this.#tasks.recordOfAnswer(turn, operation, answer), isNew: true };
  }

  #outcomeOf(
    refusal: Refusal,
    { skill, input, isPaid }: { skill: AgentSkill; input: Json; isPaid: boolean },
  ): TaskOutcome {
    const { siteUrl } = this.#config;
    if (refusal.code === "approval_required") {
      const { idempotencyKey } = this.#call;
      return awaitsApproval(refusal, { siteUrl, notes: this.#notes, input: withKey(input, idempotencyKey) });
    }
    if (skill.operation.takesPayment) {
      const payload = isPaid ? this.#received.message.metadata?.[PAYMENT_PAYLOAD] : undefined;
      const canAnswer = this.#call.admission.principal !== null;
      return unpaid(refusal, { siteUrl, input, notes: this.#notes, payload, canAnswer });
    }
    return refused(refusal, siteUrl);
  }

  async #write(
    skill: AgentSkill | null,
    outcome: TaskOutcome,
    { isHandled = true } = {},
  ): Promise<MessageResult | null> {
    const { notes = this.#notes } = outcome;
    const turn = turnFor(this.#received, this.#open, { skill: skill?.id ?? null, notes, now: this.#now });
    const record = await this.#tasks.writeOutcome(isHandled ? turn : { ...turn, messageId: null }, outcome);
    return record && { record, isNew: true };
  }

  /** After a transient refusal the same message may be sent again, and a task that waited goes on waiting. */
  async #writeUnhandled(skill: AgentSkill, refusal: TaskOutcome, input: Json): Promise<MessageResult | null> {
    const open = this.#open?.task;
    if (!open) return this.#write(skill, refusal, { isHandled: false });
    const { approvalId } = open;
    // An approval is for the input as it was asked for.
    const kept = approvalId === null ? input : (JSON.parse(open.input!) as Json);
    const waiting = stillWaiting(refusal.parts, { input: kept, notes: this.#notes, approvalId });
    return this.#write(skill, waiting, { isHandled: false });
  }

  get #now() {
    return this.#deps.services.clock.now();
  }

  get #config() {
    return this.#deps.services.config;
  }
}
