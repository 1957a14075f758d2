import { TaskNotFoundError } from "@a2a-js/sdk/errors";
import type { Services } from "../../src/contract/call.ts";
import { completeProjectTasks } from "../../src/domain/tasks/project-tasks.ts";
import { type TaskRecord, taskById } from "../../src/domain/tasks/read.ts";
import { TASK } from "../../src/domain/tasks/states.ts";
import type { Principal } from "../../src/platform/principal.ts";
import { type AgentSkill, allSkills, skillOf } from "../skills.ts";

/** Whether a credential may know of a task: one that could not call its skill may not (section 13.1). */
export function maySee({ task }: TaskRecord, principal: Principal): boolean {
  const skill = skillOf(task.skill);
  return !skill || mayCall(skill, principal);
}

/** The skills whose tasks a credential may know of. */
export function seenSkills(principal: Principal): string[] {
  return allSkills.filter((skill) => mayCall(skill, principal)).map(({ id }) => id);
}

/** The task as it stands now. @throws TaskNotFoundError also for one that is another's, or not for this credential */
export async function findTask(
  { db, clock }: Pick<Services, "db" | "clock">,
  principal: Principal,
  id: string,
): Promise<TaskRecord> {
  return visible(await currentTask({ db, now: clock.now() }, principal.accountId, id), principal);
}

/** @throws TaskNotFoundError */
export function visible(record: TaskRecord | null, principal: Principal): TaskRecord {
  if (record && maySee(record, principal)) return record;
  throw new TaskNotFoundError("This account has no such task, or it is not for this credential.");
}

/** The task, over if its project is. */
export async function currentTask(
  { db, now }: { db: Services["db"]; now: number },
  accountId: string,
  id: string,
): Promise<TaskRecord | null> {
  const record = await taskById(db, accountId, id);
  if (!record || !isDone(record)) return record;
  await completeProjectTasks(db, accountId, now);
  return taskById(db, accountId, id);
}

/** Whether what it watches is over, and nobody has noticed yet. */
export function isDone({ task, project }: TaskRecord): boolean {
  return task.state === TASK.working && project?.status === "completed";
}

function mayCall({ scope }: AgentSkill, { credential }: Principal): boolean {
  return scope === null || credential.scopes.includes(scope);
}
