import type { Reader } from "../../../db/engine.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { positionOfLinkId } from "../../platform/ids.ts";
import { type LinkRecord, linkAt, type ProjectRow, projectOf } from "./read.ts";

/** @throws Refusal not_found, also for a project of another account */
export async function findProject(db: Reader, accountId: string, projectId: string): Promise<ProjectRow> {
  const project = await projectOf(db, accountId, projectId);
  if (project) return project;
  throw new Refusal("not_found", "This account has no such project. Call list_projects for those it has.");
}

/** @throws Refusal not_found */
export async function findLink(db: Reader, project: ProjectRow, linkId: string): Promise<LinkRecord> {
  const position = positionOfLinkId(linkId, project.id);
  const record = position === null ? null : await linkAt(db, project, position);
  if (record) return record;
  throw new Refusal("not_found", "The project has no such link. Call list_links for those it has.");
}
