import { and, asc, eq, inArray, notExists, or } from "drizzle-orm";
import type { Engine, Reader } from "../../../db/engine.ts";
import { deleteExpired, type ExportRow } from "./exports.ts";

/** Most pieces that one transaction deletes. */
const BATCH = 16;

/** The pieces of a finished file, read one by one. @throws Error when it is deleted meanwhile */
export async function* fileOf(db: Reader, { accountId, id, bytes }: ExportRow): AsyncIterable<Buffer> {
  const { exportChunks: chunks } = db.t;
  let left = bytes ?? 0;
  for (let no = 0; left > 0; no++) {
    const isIt = and(eq(chunks.accountId, accountId), eq(chunks.exportId, id), eq(chunks.no, no));
    const [chunk] = await db.q.select({ data: chunks.data }).from(chunks).where(isIt);
    if (!chunk) throw new Error(`the file of the export ${id} was deleted while it was read`);
    left -= chunk.data.length;
    yield chunk.data;
  }
}

/** Deletes the pieces that an attempt has left, before the next one writes its own. */
export async function deleteFile(db: Engine, { accountId, id }: ExportRow): Promise<void> {
  const { exportChunks: chunks } = db.t;
  const isOfIt = and(eq(chunks.accountId, accountId), eq(chunks.exportId, id));
  const numbers = await db.q.select({ no: chunks.no }).from(chunks).where(isOfIt).orderBy(asc(chunks.no));
  for (let from = 0; from < numbers.length; from += BATCH) {
    const some = numbers.slice(from, from + BATCH).map(({ no }) => no);
    await db.tx(async (tx) => {
      await tx.q.delete(chunks).where(and(isOfIt, inArray(chunks.no, some)));
    });
  }
}

/** Deletes expired exports, and the pieces of files that no export has any more. */
export async function purgeExports(db: Engine, now: number): Promise<void> {
  await db.tx((tx) => deleteExpired(tx, now));
  while ((await deleteOrphans(db)) >= BATCH);
}

async function deleteOrphans(db: Engine): Promise<number> {
  return db.tx(async ({ q, t: { exports, exportChunks: chunks } }) => {
    const owner = q.select({ id: exports.id }).from(exports).where(eq(exports.id, chunks.exportId));
    const { accountId, exportId, no } = chunks;
    const orphans = await q.select({ accountId, exportId, no }).from(chunks).where(notExists(owner)).limit(BATCH);
    if (orphans.length === 0) return 0;
    const isOne = orphans.map((one) => and(eq(accountId, one.accountId), eq(exportId, one.exportId), eq(no, one.no)));
    await q.delete(chunks).where(or(...isOne));
    return orphans.length;
  });
}
