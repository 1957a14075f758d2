import type { Engine } from "./engine.ts";
import { Checksum, canonicalRow, type Row } from "./moving/canonical.ts";
import { type MovedTable, movedTables } from "./moving/tables.ts";
import { shownAddress } from "./open.ts";
import { batchesOf, openTarget, type Target } from "./postgres/target.ts";
import { openSource, type Source } from "./sqlite/source.ts";

export interface TableMoved {
  readonly name: string;
  readonly rows: number;
  /** SHA-256 of all its rows, the same on both sides. */
  readonly checksum: string;
}

export interface MoveProgress {
  readonly doing: "copying" | "comparing";
  readonly table: string;
  readonly done: number;
  readonly rows: number;
}

interface Move {
  /** Path of the SQLite file. */
  readonly from: string;
  /** `postgres://…` */
  readonly to: string;
  progress(progress: MoveProgress): void;
  /** Audits the copied rows before the commit. @throws Error to cancel the move */
  prove(arrived: Pick<Engine, "snapshot">): Promise<void>;
}

/**
 * Copies a whole SQLite database into an empty PostgreSQL one in one transaction. Before the commit it compares the count and
 * checksum of every table, and `prove` audits the copy. Meanwhile the source is locked; afterwards it is marked as moved.
 * @throws Error saying what is wrong; the target is empty then
 */
export async function moveDatabase({ from, to, progress, prove }: Move): Promise<TableMoved[]> {
  const tables = movedTables();
  const source = openSource(from);
  try {
    const target = await openTarget(to, tables);
    try {
      const moved: TableMoved[] = [];
      for (const table of tables) moved.push(await moveTable(source, target, table, progress));
      await prove(target);
      await target.commit();
      markSource(source, from, shownAddress(to));
      return moved;
    } finally {
      await target.close().catch(() => undefined);
    }
  } finally {
    source.close();
  }
}

async function moveTable(
  source: Source,
  target: Target,
  table: MovedTable,
  progress: Move["progress"],
): Promise<TableMoved> {
  const rows = source.count(table);
  const sent = new Checksum(table.columns);
  let largest = 0;
  for (const batch of batchesOf(canonical(table, source.rows(table)), (size) => {
    if (size > largest) largest = size;
  })) {
    sent.add(batch);
    await target.write(table, batch);
    progress({ doing: "copying", table: table.name, done: sent.rows, rows });
  }
  await target.finish(table, source.lastNumber(table));

  const arrived = new Checksum(table.columns);
  for await (const batch of target.batches(table, largest)) {
    arrived.add(batch);
    progress({ doing: "comparing", table: table.name, done: arrived.rows, rows });
  }
  const checksum = sent.end();
  if (sent.rows !== rows || arrived.rows !== rows || arrived.end() !== checksum) {
    throw new Error(
      `The table ${table.name} did not arrive as it was: ${rows} rows here, ${arrived.rows} there, and their checksums ${arrived.rows === rows ? "differ" : "cannot be compared"}. Nothing was moved.`,
    );
  }
  return { name: table.name, rows, checksum };
}

function markSource(source: Source, from: string, to: string): void {
  try {
    source.markMoved(to);
  } catch (thrown) {
    throw new Error(
      `Everything was moved to ${to}, but ${from} could not be marked as left: ${(thrown as Error).message}. Put that file away, so that nothing serves from it.`,
      { cause: thrown },
    );
  }
}

function* canonical(table: MovedTable, rows: Iterable<unknown[]>): Generator<Row> {
  for (const row of rows) yield canonicalRow(table, row);
}
