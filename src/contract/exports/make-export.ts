import type { Engine, Tx } from "../../../db/engine.ts";
import { deleteFile } from "../../domain/exports/file.ts";
import { appendPiece, completeExport, type HeldExport } from "../../domain/exports/lease.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { zipOf } from "../../platform/zip.ts";
import { entriesOf } from "./entries.ts";

/** Bytes of a piece of the file. */
const PIECE = 512 * 1024;

export interface ExportDeps {
  readonly db: Engine;
  readonly clock: Clock;
  readonly config: Config;
}

/**
 * Writes the file of an export piece by piece. However much the account holds, only one batch of rows and one piece are in memory.
 * Each batch is read by itself: one snapshot for all of them would keep the database from cleaning up.
 * @param signal ends the export after the next piece
 * @param tell called with the owner's address, in the transaction that completes the export
 * @throws ExportLost, and the reason of the signal
 */
export async function makeExport(
  { db, clock, config }: ExportDeps,
  held: HeldExport,
  signal: AbortSignal,
  tell: (tx: Tx, email: string) => Promise<void>,
): Promise<void> {
  await deleteFile(db, held);
  const written = { no: 0, bytes: 0, rowsDone: 0 };
  const onRows = (count: number) => {
    written.rowsDone += count;
  };
  const source = { db, config, accountId: held.accountId, personId: held.personId, service: clock.service() };
  const entries = entriesOf(source, clock.now(), onRows);
  for await (const data of piecesOf(zipOf(entries, clock.now()))) {
    signal.throwIfAborted();
    const { no, rowsDone } = written;
    await appendPiece(db, held, { no, data, rowsDone, now: clock.now() });
    written.no += 1;
    written.bytes += data.length;
  }
  await completeExport(db, held, { bytes: written.bytes, rowsDone: written.rowsDone, now: clock.now() }, tell);
}

/** Joins small buffers to pieces of about the same size. */
async function* piecesOf(buffers: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const buffer of buffers) {
    waiting.push(buffer);
    length += buffer.length;
    if (length < PIECE) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
