import { TaskNotFoundError } from "@a2a-js/sdk/errors";
import type { Services } from "../../src/contract/call.ts";
import { completeProjectTasks } from "../../src/domain/tasks/project-tasks.ts";
import { type TaskRecord, taskById } from "../../src/domain/tasks/read.ts";
import type { Principal } from "../../src/platform/principal.ts";
import { type AgentSkill, allSkills, skillOf } from "../skills.ts";

/** Whether a credential may see a task: it must be one that may call the task's skill (A2A 1.0 section 13.1). */
export function maySee({ task }: TaskRecord, principal: Principal): boolean {
  const skill = skillOf(task.skill);
  return !skill || mayCall(skill, principal);
}

/** Ids of the skills whose tasks a credential may see. */
export function visibleSkills(principal: Principal): string[] {
  return allSkills.filter((skill) => mayCall(skill, principal)).map(({ id }) => id);
}

/** The task in its present state. @throws TaskNotFoundError also for another account's, or one that it may not see */
export async function findTask(
  { db, clock }: Pick<Services, "db" | "clock">,
  principal: Principal,
  id: string,
): Promise<TaskRecord> {
  return requireVisible(await settledTask({ db, now: clock.now() }, principal.accountId, id), principal);
}

/** @throws TaskNotFoundError */
export function requireVisible(record: TaskRecord | null, principal: Principal): TaskRecord {
  if (record && maySee(record, principal)) return record;
  throw new TaskNotFoundError("This account has no such task, or this credential may not see it.");
}

/** The task; it is completed first if its project is. */
export async function settledTask(
  { db, now }: { db: Services["db"]; now: number },
  accountId: string,
  id: string,
): Promise<TaskRecord | null> {
  const record = await taskById(db, accountId, id);
  if (!record || !isProjectDone(record)) return record;
  await completeProjectTasks(db, accountId, now);
  return taskById(db, accountId, id);
}

/** Whether the task's project is completed and the task itself is not yet. */
export function isProjectDone({ task, project }: TaskRecord): boolean {
  return task.state === "working" && project?.status === "completed";
}

function mayCall({ scopes }: AgentSkill, { credential }: Principal): boolean {
  return scopes.every((scope) => credential.scopes.includes(scope));
}
