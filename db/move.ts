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
  /** Checks all that has arrived, before the commit. @throws Error to have nothing moved */
  prove(arrived: Pick<Engine, "snapshot">): Promise<void>;
}

/**
 * Copies a whole SQLite database into an empty PostgreSQL one, proves both equal by count and checksum of every table
 * and what has arrived by `prove`, and commits once. Meanwhile the source is locked; afterwards it is marked as moved.
 * @throws Error saying what is wrong; the target is then as empty as before
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
  const there = new Checksum(table.columns);
  let largest = 0;
  for (const batch of batchesOf(canonical(table, source.rows(table)), (size) => {
    if (size > largest) largest = size;
  })) {
    there.add(batch);
    await target.write(table, batch);
    progress({ doing: "copying", table: table.name, done: there.rows, rows });
  }
  await target.finish(table, source.lastNumber(table));

  const here = new Checksum(table.columns);
  for await (const batch of target.batches(table, largest)) {
    here.add(batch);
    progress({ doing: "comparing", table: table.name, done: here.rows, rows });
  }
  const checksum = there.end();
  if (there.rows !== rows || here.rows !== rows || here.end() !== checksum) {
    throw new Error(
      `The table ${table.name} did not arrive as it was: ${rows} rows here, ${here.rows} there, and their checksums ${here.rows === rows ? "differ" : "cannot be compared"}. Nothing was moved.`,
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
