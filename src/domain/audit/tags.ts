import type { Reader } from "../../../db/engine.ts";
import { tagsOf } from "../projects/labels.ts";
import type { ProjectRow } from "../projects/read.ts";

/** The table by which lists are filtered says the same of each project as its row. */
export async function auditTags(db: Reader, projects: readonly ProjectRow[], problems: string[]): Promise<void> {
  const { projectTags } = db.t;
  const rows = await db.q.select().from(projectTags);
  const listed = new Set(rows.map(({ accountId, projectNo, tag }) => textOf(accountId, projectNo, tag)));
  for (const project of projects) {
    const tags = readTags(project);
    if (!tags) problems.push(`the tags of project ${project.id} are unreadable`);
    for (const tag of tags ?? [])
      if (!listed.delete(textOf(project.accountId, project.no, tag)))
        problems.push(`project ${project.id} is not found by its tag ${tag}`);
  }
  for (const row of listed) problems.push(`a tag is of no project that has it: ${row}`);
}

function readTags(project: ProjectRow): readonly string[] | null {
  try {
    return tagsOf(project);
  } catch {
    return null;
  }
}

function textOf(accountId: string, projectNo: number, tag: string): string {
  return `${accountId}, project ${projectNo}, ${tag}`;
}
