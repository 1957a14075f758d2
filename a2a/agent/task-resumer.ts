import type { Services } from "../../src/contract/call.ts";
import type { Executor } from "../../src/contract/executor.ts";
import { APPROVALS_PATH } from "../../src/contract/spending-refusal.ts";
import { requireMaker } from "../../src/domain/credentials/may-act.ts";
import { type ApprovalRow, type ApprovalStatus, approvalOf, statusOf } from "../../src/domain/spending/approvals.ts";
import { type TaskRecord, taskById } from "../../src/domain/tasks/read.ts";
import { type DueTask, dueTasks, postponeTask } from "../../src/domain/tasks/waiting.ts";
import { writeTurn } from "../../src/domain/tasks/write.ts";
import { iso, MINUTE, SECOND } from "../../src/platform/clock.ts";
import { type ErrorCode, Refusal, toRefusal } from "../../src/platform/errors/errors.ts";
import type { Log } from "../../src/surfaces/http-server/log.ts";
import { skillOf } from "../skills.ts";
import type { Json } from "../wire.ts";
import { awaitsApproval } from "./approval.ts";
import { refused, type TaskOutcome } from "./outcome.ts";
import { turnWithoutMessage } from "./received-message.ts";
import { notesOf } from "./task-notes.ts";
import { TaskWriter } from "./task-writer.ts";

/** Tasks that are read at once. */
const BATCH = 20;

/** How long a process has for one task before another one takes it, in ms. */
const LEASE = 5 * MINUTE;

/** When a call is made again that could not be made now, in ms. */
const RETRY_AFTER = 5 * SECOND;

/** Refusals after which the same call may succeed in a moment. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set(["idempotency_in_flight", "unavailable"]);

export interface ResumerDeps {
  readonly services: Services;
  readonly executor: Executor;
  readonly log: Log;
}

/**
 * Lets the tasks go on whose approvals were decided, or have ended. What a task does is written in one transaction with its end,
 * which also looks at the task's revision: however often it is begun, it is done once.
 */
export class TaskResumer {
  readonly #deps: ResumerDeps;

  constructor(deps: ResumerDeps) {
    this.#deps = deps;
  }

  /** @param signal aborted when the process stops. Another process does the rest @throws DatabaseUnavailable */
  async resumeDue(signal: AbortSignal): Promise<void> {
    const { db, clock } = this.#deps.services;
    for (const task of await dueTasks(db, clock.now(), BATCH)) {
      if (signal.aborted) return;
      await this.#resume(task, signal);
    }
  }

  async #resume(due: DueTask, signal: AbortSignal): Promise<void> {
    const { db, clock } = this.#deps.services;
    const now = clock.now();
    const held = { ...due, resumeAt: now + LEASE };
    if (!(await db.tx((tx) => postponeTask(tx, due, held.resumeAt)))) return;
    const record = await taskById(db, due.accountId, due.id);
    if (record?.task.revision !== due.revision) return;
    const { approvalId } = record.task;
    const approval = approvalId === null ? null : await approvalOf(db, due.accountId, approvalId);
    const status = approval ? statusOf(approval, now) : "expired";
    // A call that would do something else by now is made again, and asks for that.
    if (approval && (status === "approved" || status === "replaced"))
      return this.#continue(record, { approval, held, signal });
    // The clock went back.
    if (approval && status === "open") return void (await db.tx((tx) => postponeTask(tx, held, approval.expiresAt)));
    await this.#write(record, refused(endedRefusal(approval, status, this.#siteUrl), this.#siteUrl));
  }

  async #continue(
    found: TaskRecord,
    { approval, held, signal }: { approval: ApprovalRow; held: DueTask; signal: AbortSignal },
  ): Promise<void> {
    const { services, executor, log } = this.#deps;
    const { db } = services;
    const record = await this.#begin(found, held);
    if (!record) return;
    const { accountId, id, revision } = record.task;
    const input = JSON.parse(record.task.input!) as Json;
    const { operation, scopes } = skillOf(record.task.skill)!;
    const turn = turnWithoutMessage(record, "completed");
    try {
      const asked = { accountId, maker: approval.credential };
      const principal = await requireMaker(db, asked, { scopes, now: services.clock.now() });
      const call = { operation, input, audience: "agent", turn, principal, requestsToday: 0, signal } as const;
      await executor.run(call);
    } catch (thrown) {
      const refusal = toRefusal(thrown);
      if ((await taskById(db, accountId, id))?.task.revision !== revision) return;
      if (TRANSIENT.has(refusal.code)) {
        const again = services.clock.now() + (signal.aborted ? 0 : RETRY_AFTER);
        return void (await db.tx((tx) => postponeTask(tx, { ...held, revision }, again)));
      }
      if (refusal !== thrown) log.error({ err: thrown, task: id }, "an approved call failed");
      await this.#write(record, this.#outcomeOf(refusal, { record, input }));
    }
  }

  /** Sets the task to working. @returns null if it was changed in the meantime */
  async #begin(record: TaskRecord, { resumeAt }: DueTask): Promise<TaskRecord | null> {
    const { db, clock } = this.#deps.services;
    const { accountId, id, input, approvalId, state } = record.task;
    if (state === "working") return record;
    const update = { state: "working", input, approvalId, resumeAt, now: clock.now() } as const;
    return this.#unlessChanged(async () => {
      await db.tx((tx) => writeTurn(tx, accountId, turnWithoutMessage(record, "completed"), update));
      return taskById(db, accountId, id);
    });
  }

  /** A call that costs more, or does something else, than was approved waits for another approval. */
  #outcomeOf(refusal: Refusal, { record, input }: { record: TaskRecord; input: Json }): TaskOutcome {
    const siteUrl = this.#siteUrl;
    if (refusal.code !== "approval_required") return refused(refusal, siteUrl);
    return awaitsApproval(refusal, { siteUrl, input, notes: notesOf(record) });
  }

  async #write(record: TaskRecord, outcome: TaskOutcome): Promise<void> {
    const writer = new TaskWriter(this.#deps.services, record.task.accountId);
    await writer.writeOutcome(turnWithoutMessage(record, "completed"), outcome);
  }

  async #unlessChanged<T>(write: () => Promise<T>): Promise<T | null> {
    try {
      return await write();
    } catch (thrown) {
      if (thrown instanceof Refusal && thrown.code === "idempotency_in_flight") return null;
      throw thrown;
    }
  }

  get #siteUrl() {
    return this.#deps.services.config.siteUrl;
  }
}

/** Why a task does not go on. */
function endedRefusal(approval: ApprovalRow | null, status: ApprovalStatus, siteUrl: string): Refusal {
  const why: { readonly [status in ApprovalStatus]?: string } = {
    refused: "Your user has refused this call. Nothing was spent.",
    used: "The approval was used by the same call outside of this task. Nothing more was spent.",
    ended: "The credential was revoked or has ended. Nothing was spent.",
  };
  const message = why[status] ?? "The approval was not given, or not used, in time. Nothing was spent.";
  const url = `${siteUrl}${APPROVALS_PATH}`;
  return new Refusal("approval_required", message, {
    needed: approval?.credits ?? null,
    approval_url: approval ? `${url}/${approval.id}` : url,
    expires_at: approval && iso(approval.expiresAt),
  });
}
