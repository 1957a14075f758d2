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

/** The positions of links of a project, each once. @throws Refusal invalid_request, for an id that is not of this project */
export function positionsOf({ id: projectId, total }: ProjectRow, linkIds: readonly string[]): number[] {
  const positions = linkIds.map((id) => positionOfLinkId(id, projectId));
  refuseLinks(linkIds, (index) =>
    positions[index] === null || positions[index]! >= total ? "not a link of this project" : null,
  );
  return [...new Set(positions as number[])];
}

/** @param problem what is wrong with the id at this place; null: nothing @throws Refusal invalid_request */
export function refuseLinks(linkIds: readonly string[], problem: (index: number) => string | null): void {
  const issues = linkIds.flatMap((_, index) => {
    const message = problem(index);
    return message === null ? [] : [{ path: `link_ids[${index}]`, message }];
  });
  if (issues.length === 0) return;
  const message = `\`${issues[0]!.path}\` is ${issues[0]!.message}. Nothing was changed.`;
  throw new Refusal("invalid_request", message, { issues: issues.slice(0, MOST_ISSUES) });
}

/** Most problems that a refusal names. */
const MOST_ISSUES = 20;

/** @throws Refusal not_found */
export async function findLink(db: Reader, project: ProjectRow, linkId: string): Promise<LinkRecord> {
  const position = positionOfLinkId(linkId, project.id);
  const record = position === null ? null : await linkAt(db, project, position);
  if (record) return record;
  throw new Refusal("not_found", "The project has no such link. Call list_links for those it has.");
}
