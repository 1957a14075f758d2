import { and, eq, inArray } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { ProjectRow } from "./read.ts";

/** The columns of which the version of a project is made. */
type Changing = Pick<
  ProjectRow,
  "status" | "waiting" | "checking" | "indexed" | "notIndexed" | "failed" | "creditsReturned"
>;

/** A short text that differs whenever a project has changed, as callers see it. */
export function versionOf({
  status,
  waiting,
  checking,
  indexed,
  notIndexed,
  failed,
  creditsReturned,
}: Changing): string {
  const counts = [waiting, checking, indexed, notIndexed, failed, creditsReturned].map((count) => count.toString(36));
  return [status[0], ...counts].join(".");
}

/** A project, and its version now. */
export interface VersionedProject {
  readonly no: number;
  readonly id: string;
  readonly version: string;
}

/** The given projects, as far as the account has them. */
export async function projectsByIds(
  db: Reader,
  accountId: string,
  ids: readonly string[],
): Promise<VersionedProject[]> {
  const { projects } = db.t;
  return versioned(db, and(eq(projects.accountId, accountId), inArray(projects.id, [...ids])));
}

/** The versions of projects by their numbers, all by one query. */
export async function projectVersions(db: Reader, numbers: readonly number[]): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map();
  const found = await versioned(db, db.among(db.t.projects.no, numbers));
  return new Map(found.map(({ no, version }) => [no, version]));
}

async function versioned(db: Reader, where: ReturnType<typeof and>): Promise<VersionedProject[]> {
  const rows = await db.q.select().from(db.t.projects).where(where);
  return rows.map((row) => ({ no: row.no, id: row.id, version: versionOf(row) }));
}
