import { RequestMalformedError } from "@a2a-js/sdk/errors";
import type { Services } from "../../src/contract/call.ts";
import { completeProjectTasks } from "../../src/domain/tasks/project-tasks.ts";
import { type TaskCursor, type TaskRecord, tasksOf } from "../../src/domain/tasks/read.ts";
import type { Principal } from "../../src/platform/principal.ts";
import type { ListTasksRequest, ListTasksResponse } from "../wire.ts";
import { visibleSkills } from "./access.ts";
import { keptState, taskOf } from "./present.ts";

const PAGE_SIZE = { preset: 50, most: 100 };

/** A page of the account's tasks, the latest change first (section 3.1.4). @throws RequestMalformedError */
export async function listTasks(
  { db, clock, config }: Services,
  principal: Principal,
  request: ListTasksRequest,
): Promise<ListTasksResponse> {
  const { pageSize = PAGE_SIZE.preset, pageToken, historyLength, includeArtifacts = false } = request;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > PAGE_SIZE.most) {
    throw new RequestMalformedError(`pageSize must be 1 to ${PAGE_SIZE.most}.`);
  }
  const after = pageToken ? cursorOf(pageToken) : null;
  const filter = filterOf(principal, request);
  await completeProjectTasks(db, principal.accountId, clock.now());
  const page = { limit: pageSize, after, withAnswers: includeArtifacts };
  const { records, hasMore, total } = await tasksOf(db, principal.accountId, filter, page);
  return {
    tasks: records.map((record) => taskOf(record, config, { historyLength, artifacts: includeArtifacts })),
    nextPageToken: hasMore ? tokenOf(records.at(-1)!) : "",
    pageSize,
    totalSize: total,
  };
}

function filterOf(principal: Principal, { contextId, status, statusTimestampAfter }: ListTasksRequest) {
  const since = statusTimestampAfter === undefined ? undefined : Date.parse(statusTimestampAfter);
  if (Number.isNaN(since)) throw new RequestMalformedError("statusTimestampAfter must be an ISO 8601 time.");
  const state = status === undefined ? undefined : keptState(status);
  return { skills: visibleSkills(principal), contextId: contextId || undefined, state, since };
}

/** The token of the next page, opaque to clients. */
function tokenOf({ task }: TaskRecord): string {
  return Buffer.from(`${task.stateAt} ${task.id}`).toString("base64url");
}

function cursorOf(token: string): TaskCursor {
  const [, stateAt, id] = /^(\d{1,15}) (tsk_[0-9a-z]{20})$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (id === undefined) throw new RequestMalformedError("pageToken was not issued by this service.");
  return { stateAt: Number(stateAt), id };
}
