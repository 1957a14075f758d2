import type { Reader } from "../../../db/engine.ts";
import type { Config } from "../../platform/config/config.ts";

/** Whose data it is, and where it is read. */
export interface Source {
  readonly db: Reader;
  readonly config: Config;
  readonly accountId: string;
  /** Who asked for it. */
  readonly personId: string;
  /** Service time at which it is read. */
  readonly service: number;
}

/** A record, with the field names of the API. */
export type ExportRecord = Readonly<Record<string, unknown>>;

export type Batches = AsyncIterable<readonly ExportRecord[]>;

/** A part of an export: one file of JSON and one of CSV. */
export interface Section {
  /** What it holds, for the file that explains the others. */
  readonly about: string;
  /** The columns of the CSV: fields of a record, or of an object in it, as `engines.google.status`. */
  readonly columns: readonly string[];
  batches(source: Source): Batches;
}

export function section(about: string, rest: Omit<Section, "about">): Section {
  return { about, ...rest };
}

export async function* mapped<Row>(
  batches: AsyncIterable<readonly Row[]>,
  present: (row: Row) => ExportRecord,
): Batches {
  for await (const rows of batches) yield rows.map(present);
}

/** Parses stored JSON; a text that is not JSON stays as it is. */
export function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return text;
  }
}
