import { RequestMalformedError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { PresentedPayment } from "../../src/domain/payments/orders/presented-payment.ts";
import { startProjectTask } from "../../src/domain/tasks/project-tasks.ts";
import { type TaskRecord, taskOfMessage } from "../../src/domain/tasks/read.ts";
import { isTerminal, TASK } from "../../src/domain/tasks/states.ts";
import type { TaskTurn } from "../../src/domain/tasks/write.ts";
import { type ErrorCode, Refusal, toRefusal } from "../../src/platform/errors/errors.ts";
import type { A2aCall } from "../methods.ts";
import { type AgentSkill, allSkills, operationNamed, requiredFields, skillOf, skillsOf, WATCH } from "../skills.ts";
import type { Json, Message } from "../wire.ts";
import { currentTask, findTask, visible } from "./access.ts";
import type { AgentParts } from "./agent.ts";
import { interpret } from "./interpret.ts";
import { type Ending, helpIn, missing, refused, stillWaiting } from "./outcome.ts";
import { activateX402, PAYLOAD, payingIn, unpaid } from "./payment.ts";
import { type Plan, planOfFirst, planOfNext } from "./plan.ts";
import { type Asked, type Notes, notesOf, turnOf } from "./received-message.ts";
import { Records } from "./turn-writer.ts";

/** What a message is answered with; `isNew` where it was acted on just now. */
export type Spoken = { readonly message: Message } | { readonly record: TaskRecord; readonly isNew: boolean };

/** Refusals of the request itself: they are HTTP statuses, and the message may be sent again. */
const AT_THE_EDGE: ReadonlySet<number> = new Set([401, 403, 429]);

/** Refusals that may be otherwise in a moment. */
const PASSING: ReadonlySet<ErrorCode> = new Set(["idempotency_in_flight", "unavailable"]);

/** One look at one message. */
export class Reply {
  readonly #parts: AgentParts;
  readonly #asked: Asked;
  readonly #call: A2aCall;
  readonly #records: Records;
  #open: TaskRecord | null = null;
  #notes: Notes = {};

  constructor(parts: AgentParts, asked: Asked, call: A2aCall) {
    this.#parts = parts;
    this.#asked = asked;
    this.#call = call;
    this.#records = new Records(parts.services, call.admission.principal);
  }

  /** @returns null where another message was quicker, and this one has to be looked at again */
  async give(): Promise<Spoken | null> {
    const { message } = this.#asked;
    const speaksX402 = this.#config.direct !== undefined && activateX402(this.#call, message);
    // The task before its messages: whoever finds it over finds the message too that ended it, which may be this one.
    const named = await this.#namedTask();
    const earlier = await this.#earlier();
    if (earlier) return { record: earlier, isNew: false };
    this.#open = this.#openTask(named);
    this.#notes = { ...notesOf(this.#open), ...(speaksX402 ? { x402: true } : {}) };
    const { siteUrl } = this.#config;
    const skills = skillsOf(this.#config);
    const meant = interpret(message, allSkills);
    if (meant.is === "help") {
      return { message: helpIn(skills, siteUrl, this.#open?.task.contextId ?? message.contextId) };
    }
    const situation = { meant, paying: payingIn(message), notes: this.#notes, skills, siteUrl };
    const plan = this.#open ? planOfNext(this.#open, situation) : planOfFirst(situation);
    return "ending" in plan ? this.#end(plan.skill, plan.ending) : this.#perform(plan);
  }

  /** The task of this very message. @throws RequestMalformedError where its id was another's */
  async #earlier(): Promise<TaskRecord | null> {
    const { admission, caller } = this.#call;
    if (!admission.principal) return null;
    const { message, digest } = this.#asked;
    const found = await taskOfMessage(this.#parts.services.db, admission.principal.accountId, message.messageId);
    if (!found) return null;
    const skill = skillOf(found.record.task.skill);
    if (skill) this.#parts.guard.authorize(skill.operation, admission, caller);
    if (found.digest === digest) return findTask(this.#parts.services, admission.principal, found.record.task.id);
    throw new RequestMalformedError("This messageId was used for another message. Every message needs its own.");
  }

  async #namedTask(): Promise<TaskRecord | null> {
    const { taskId } = this.#asked.message;
    const { principal } = this.#call.admission;
    if (taskId === undefined || !principal) return null;
    const { db, clock } = this.#parts.services;
    return currentTask({ db, now: clock.now() }, principal.accountId, taskId);
  }

  /** The task that the message goes on with. @throws Refusal unauthorized, and errors of the protocol */
  #openTask(named: TaskRecord | null): TaskRecord | null {
    const { taskId, contextId } = this.#asked.message;
    if (taskId === undefined) return null;
    const record = visible(named, this.#parts.guard.requireCredential(this.#call.admission, this.#call.caller));
    if (contextId !== undefined && contextId !== record.task.contextId) {
      throw new RequestMalformedError("The task is of another context. Leave contextId out, or send the task's own.");
    }
    if (isTerminal(record.task.state)) {
      throw new UnsupportedOperationError("The task is over. Send a message without taskId to begin another.");
    }
    if (record.task.state === TASK.working) {
      throw new UnsupportedOperationError("The task takes no messages while it works. Cancel it, or begin another.");
    }
    return record;
  }

  async #perform({ skill, input, payment }: Extract<Plan, { input: Json }>): Promise<Spoken | null> {
    const { admission, caller } = this.#call;
    this.#parts.guard.authorize(skill.operation, admission, caller);
    const fields = requiredFields(skill).filter((field) => input[field] === undefined);
    if (fields.length > 0) {
      return this.#end(skill, { ...missing(skill, input, fields, admission.principal !== null), notes: this.#notes });
    }
    const turn = turnOf(this.#asked, this.#open, { skill: skill.id, notes: this.#notes, now: this.#now });
    try {
      return await this.#run(skill, input, { payment, turn });
    } catch (thrown) {
      const refusal = toRefusal(thrown);
      if (AT_THE_EDGE.has(refusal.status)) throw refusal;
      if (await this.#records.wasLate(turn)) return null;
      if (refusal !== thrown) this.#parts.log.error({ err: thrown, skill: skill.id }, "a call of an agent failed");
      const ending = this.#endingOf(refusal, { skill, input, isPaid: payment !== undefined });
      // Of payments it is said already what may come again.
      const isPassing = PASSING.has(refusal.code) && !skill.operation.takesPayment;
      return isPassing ? this.#endForNow(skill, ending, input) : this.#end(skill, ending);
    }
  }

  async #run(
    skill: AgentSkill,
    input: Json,
    { payment, turn }: { payment: PresentedPayment | undefined; turn: TaskTurn },
  ): Promise<Spoken> {
    const { executor, services } = this.#parts;
    const { principal, requestsToday } = this.#call.admission;
    const { key, json } = withoutKey(input);
    const call = { json, idempotencyKey: key, payment, audience: "agent", principal, requestsToday } as const;
    if (skill.id === WATCH) {
      const { text } = await executor.run({ ...call, operation: operationNamed("get_project") });
      const { id } = JSON.parse(text) as { id: string };
      await startProjectTask(services.db, principal!.accountId, turn, id, services.clock.now());
      return { record: await this.#records.written(turn), isNew: true };
    }
    const { operation } = skill;
    const answer = await executor.run({ ...call, operation, ...(principal && { turn }) });
    return { record: await this.#records.answered(turn, operation, answer), isNew: true };
  }

  #endingOf(refusal: Refusal, { skill, input, isPaid }: { skill: AgentSkill; input: Json; isPaid: boolean }): Ending {
    const { siteUrl } = this.#config;
    if (skill.operation.takesPayment) {
      const payload = isPaid ? this.#asked.message.metadata?.[PAYLOAD] : undefined;
      return unpaid(refusal, { siteUrl, input, notes: this.#notes, payload });
    }
    return refused(refusal, siteUrl);
  }

  async #end(skill: AgentSkill | null, ending: Ending, { isActedOn = true } = {}): Promise<Spoken | null> {
    const { notes = this.#notes } = ending;
    const turn = turnOf(this.#asked, this.#open, { skill: skill?.id ?? null, notes, now: this.#now });
    const record = await this.#records.end(isActedOn ? turn : { ...turn, messageId: null }, ending);
    return record && { record, isNew: true };
  }

  /** What may be otherwise in a moment uses nothing up: the same message may come again, and a task goes on waiting. */
  async #endForNow(skill: AgentSkill, ending: Ending, input: Json): Promise<Spoken | null> {
    const { parts } = ending;
    return this.#end(skill, this.#open ? stillWaiting(parts, input, this.#notes) : ending, { isActedOn: false });
  }

  get #now() {
    return this.#parts.services.clock.now();
  }

  get #config() {
    return this.#parts.services.config;
  }
}

/** The key of a call is beside its input, as over every surface. @throws Refusal invalid_request */
function withoutKey({ idempotency_key: key, ...json }: Json): { key: string | undefined; json: Json } {
  if (key === undefined || typeof key === "string") return { key, json };
  throw new Refusal("invalid_request", "`idempotency_key`: must be text. Nothing was changed.", {
    issues: [{ path: "idempotency_key", message: "must be text" }],
  });
}
