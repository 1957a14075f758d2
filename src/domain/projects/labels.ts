import { crc32 } from "node:zlib";
import { and, asc, count, desc, eq } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { linkKey } from "../../platform/ids.ts";
import { findProject } from "./find.ts";
import type { ProjectRow } from "./read.ts";
import { containsAny, formsInName } from "./search.ts";

/** What people call a project, and where they look for it; nothing that is done with its links follows from it. */
export interface Labels {
  /** "": by the host of its first URL. */
  readonly name?: string | undefined;
  /** All of them. */
  readonly tags?: readonly string[] | undefined;
  readonly archived?: boolean | undefined;
}

export function tagsOf({ tags }: Pick<ProjectRow, "tags">): string[] {
  return tags === null ? [] : JSON.parse(tags);
}

/** Tags of an account that contain a text, the most used first. */
export async function tagsLike(db: Reader, accountId: string, text: string, limit: number): Promise<string[]> {
  const { projectTags } = db.t;
  const { tag } = projectTags;
  const rows = await db.q
    .select({ tag })
    .from(projectTags)
    .where(and(eq(projectTags.accountId, accountId), containsAny(db, tag, formsInName(text))))
    .groupBy(tag)
    .orderBy(desc(count()), asc(tag))
    .limit(limit);
  return rows.map((row) => row.tag);
}

/** A short text that differs whenever the labels do. */
export function labelsFingerprint({ name, tags, archived }: Pick<ProjectRow, "name" | "tags" | "archived">): string {
  return crc32(JSON.stringify([name, tags, archived])).toString(36);
}

/** Changes the labels that are given. @throws Refusal not_found */
export async function relabel(tx: Tx, accountId: string, projectId: string, labels: Labels): Promise<ProjectRow> {
  const project = await findProject(tx, accountId, projectId);
  const { name, archived } = labels;
  const tags = labels.tags && [...new Set(labels.tags)];
  const set = {
    ...(name === undefined ? {} : { name: name || (await hostOf(tx, project)) }),
    ...(tags === undefined ? {} : { tags: tags.length === 0 ? null : JSON.stringify(tags) }),
    ...(archived === undefined ? {} : { archived }),
  };
  if (Object.keys(set).length === 0) return project;
  const { projects } = tx.t;
  const isIts = and(eq(projects.accountId, accountId), eq(projects.no, project.no));
  const [changed] = await tx.q.update(projects).set(set).where(isIts).returning();
  if (tags !== undefined) await setTags(tx, project, tags);
  return changed!;
}

async function setTags(tx: Tx, { no, accountId }: ProjectRow, tags: readonly string[]): Promise<void> {
  const { projectTags } = tx.t;
  await tx.q.delete(projectTags).where(eq(projectTags.projectNo, no));
  if (tags.length > 0) await tx.q.insert(projectTags).values(tags.map((tag) => ({ accountId, tag, projectNo: no })));
}

async function hostOf(db: Reader, { no }: ProjectRow): Promise<string> {
  const { links } = db.t;
  const [first] = await db.q
    .select({ url: links.url })
    .from(links)
    .where(eq(links.id, linkKey(no, 0)));
  return new URL(first!.url).hostname;
}
