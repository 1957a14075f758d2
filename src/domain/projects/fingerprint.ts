import { and, eq, inArray } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { labelsFingerprint } from "./labels.ts";
import type { ProjectRow } from "./read.ts";

/** The columns of which the fingerprint of a project is made. */
type Changing = Pick<
  ProjectRow,
  | ("status" | "waiting" | "checking" | "indexed" | "notIndexed" | "failed" | "creditsReturned")
  | ("name" | "tags" | "archived")
>;

/** A short text that differs whenever a project has changed, as callers see it. */
export function fingerprintOf({
  status,
  waiting,
  checking,
  indexed,
  notIndexed,
  failed,
  creditsReturned,
  ...labels
}: Changing): string {
  const counts = [waiting, checking, indexed, notIndexed, failed, creditsReturned].map((count) => count.toString(36));
  return [status[0], ...counts, labelsFingerprint(labels)].join(".");
}

/** A project, and its fingerprint now. */
export interface ProjectFingerprint {
  readonly no: number;
  readonly id: string;
  readonly fingerprint: string;
}

/** The given projects, as far as the account has them. */
export async function projectsByIds(
  db: Reader,
  accountId: string,
  ids: readonly string[],
): Promise<ProjectFingerprint[]> {
  const { projects } = db.t;
  return withFingerprint(db, and(eq(projects.accountId, accountId), inArray(projects.id, [...ids])));
}

/** The fingerprints of projects by their numbers, all by one query. */
export async function fingerprintsOf(db: Reader, numbers: readonly number[]): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map();
  const found = await withFingerprint(db, db.among(db.t.projects.no, numbers));
  return new Map(found.map(({ no, fingerprint }) => [no, fingerprint]));
}

async function withFingerprint(db: Reader, where: ReturnType<typeof and>): Promise<ProjectFingerprint[]> {
  const rows = await db.q.select().from(db.t.projects).where(where);
  return rows.map((row) => ({ no: row.no, id: row.id, fingerprint: fingerprintOf(row) }));
}
