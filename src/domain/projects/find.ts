import type { Reader } from "../../../db/engine.ts";
import { type Awaitable, andThen } from "../../platform/awaitable.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { positionOfLinkId } from "../../platform/ids.ts";
import { type LinkRecord, linkAt, type ProjectRow, projectOf } from "./read.ts";

/** @throws Refusal not_found, also for a project of another account */
export function findProject(db: Reader, accountId: string, projectId: string): Awaitable<ProjectRow> {
  return andThen(projectOf(db, accountId, projectId), (project) => {
    if (project) return project;
    throw new Refusal("not_found", "This account has no such project. Call list_projects for those it has.");
  });
}

/** @throws Refusal not_found */
export function findLink(db: Reader, project: ProjectRow, linkId: string): Awaitable<LinkRecord> {
  const position = positionOfLinkId(linkId, project.id);
  return andThen(position === null ? null : linkAt(db, project, position), (record) => record ?? noSuchLink());
}

/** Reads nothing: a project keeps its links, at the positions from 0 to its total. @throws Refusal not_found */
export function refuseUnlessLinkOf({ id, total }: ProjectRow, linkId: string): void {
  const position = positionOfLinkId(linkId, id);
  if (position === null || position >= total) noSuchLink();
}

function noSuchLink(): never {
  throw new Refusal("not_found", "The project has no such link. Call list_links for those it has.");
}
