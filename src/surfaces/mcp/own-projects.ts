import { scopesOf } from "../../contract/operation.ts";
import type { ToolCaller } from "./caller.ts";
import { operationOf } from "./tools.ts";

/** The fields of a project that are used here. */
export interface OwnProject {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly counts: { readonly total: number; readonly indexed: number };
}

export const LIST_PROJECTS = operationOf("list_projects")!;

/** The scopes by which a caller is told of changes of its projects. */
export const HEARING = scopesOf(LIST_PROJECTS.access);

/** The caller's newest projects, newest first. @throws Refusal */
export async function newestProjects(caller: ToolCaller, limit: number): Promise<OwnProject[]> {
  const input = { limit, fields: ["id", "name", "status", "counts"] };
  const { text } = await caller.call({ operation: LIST_PROJECTS, input, idempotencyKey: undefined });
  return (JSON.parse(text) as { projects: OwnProject[] }).projects;
}
