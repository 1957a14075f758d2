import * as pg from "drizzle-orm/pg-core";
import * as sqlite from "drizzle-orm/sqlite-core";
import { numberOf } from "./words.ts";

/**
 * The column types of the schema, for each dialect. Both kits make columns of the same JavaScript types. The SQLite kit has
 * the type of the PostgreSQL one, so that the schema and every query are written once (db/schema.ts). Times are ms since 1970.
 */
export const pgKit = {
  table: pg.pgTable,
  text: (name: string) => pg.text(name),
  int: (name: string) => pg.integer(name),
  small: (name: string) => pg.smallint(name),
  big: (name: string) => pg.bigint(name, { mode: "number" }),
  bool: (name: string) => pg.boolean(name),
  /** A word of a list (words.ts), stored as its number; queries take and return the word. */
  word: <const Words extends readonly string[]>(name: string, words: Words) =>
    pg.customType<WordColumn<Words>>({ dataType: () => "smallint", ...mappingOf(words) })(name),
  bytes: pg.customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" }),
  serial: (name: string) => pg.bigint(name, { mode: "number" }).generatedAlwaysAsIdentity().primaryKey(),
  index: pg.index,
  unique: pg.uniqueIndex,
  primaryKey: pg.primaryKey,
};

export type Kit = typeof pgKit;

type WordColumn<Words extends readonly string[]> = { data: Words[number]; driverData: number };

function mappingOf<const Words extends readonly string[]>(words: Words) {
  return {
    toDriver: (word: Words[number]) => numberOf(words, word),
    fromDriver: (number: number): Words[number] => words[number]!,
  };
}

const sqliteColumns = {
  table: sqlite.sqliteTable,
  text: (name: string) => sqlite.text(name),
  int: (name: string) => sqlite.integer(name),
  small: (name: string) => sqlite.integer(name),
  big: (name: string) => sqlite.integer(name, { mode: "number" }),
  bool: (name: string) => sqlite.integer(name, { mode: "boolean" }),
  word: <const Words extends readonly string[]>(name: string, words: Words) =>
    sqlite.customType<WordColumn<Words>>({ dataType: () => "integer", ...mappingOf(words) })(name),
  bytes: (name: string) => sqlite.blob(name, { mode: "buffer" }),
  serial: (name: string) => sqlite.integer(name, { mode: "number" }).primaryKey({ autoIncrement: true }),
  index: sqlite.index,
  unique: sqlite.uniqueIndex,
  primaryKey: sqlite.primaryKey,
};

// These are SQLite columns; their values have the types that the PostgreSQL kit declares.
export const sqliteKit = sqliteColumns as unknown as Kit;
