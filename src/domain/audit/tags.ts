import type { Reader } from "../../../db/engine.ts";
import { tagsOf } from "../projects/labels.ts";
import type { ProjectRow } from "../projects/read.ts";

/** The table by which lists are filtered says the same of each project as its row. */
export async function auditTags(db: Reader, projects: readonly ProjectRow[], problems: string[]): Promise<void> {
  const { projectTags } = db.t;
  const rows = await db.q.select().from(projectTags);
  const listed = new Set(rows.map(({ accountId, projectNo, tag }) => textOf(accountId, projectNo, tag)));
  for (const project of projects)
    for (const tag of tagsOf(project))
      if (!listed.delete(textOf(project.accountId, project.no, tag)))
        problems.push(`project ${project.id} is not found by its tag ${tag}`);
  for (const row of listed) problems.push(`a tag is of no project that has it: ${row}`);
}

function textOf(accountId: string, projectNo: number, tag: string): string {
  return `${accountId}, project ${projectNo}, ${tag}`;
}
