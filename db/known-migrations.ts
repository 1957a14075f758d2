import { join } from "node:path";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { ownCommand, startCommand } from "../src/platform/own-command.ts";
import { packageRoot } from "../src/platform/package-root.ts";
import { version } from "../src/platform/version.ts";

type Dialect = "pg" | "sqlite";

/**
 * A database's schema compared with this program's. `unreleased`: a version that was never released made it; `foreign`: it has
 * no table of this program.
 */
export type SchemaAge = "newest" | "older" | "newer" | "unreleased" | "foreign";

/** A migration as a database records it, with the version of the program that applied it. */
export interface AppliedMigration {
  readonly hash: string;
  readonly version: string;
}

/** The schema that a database has, compared with this program's. */
export interface SchemaState {
  readonly age: SchemaAge;
  /** How many migrations it has: schema 2 is the one after the second migration. */
  readonly number: number;
  /** The number of this program's schema. */
  readonly needed: number;
  /** Version of the program that applied the last one. Null before the first. */
  readonly version: string | null;
}

const read = new Map<Dialect, readonly MigrationMeta[]>();

/** The migrations that this version of the program knows, first to last. */
export function knownMigrations(dialect: Dialect): readonly MigrationMeta[] {
  const folder = join(packageRoot, "db/migrations", dialect);
  const known = read.get(dialect) ?? readMigrationFiles({ migrationsFolder: folder });
  read.set(dialect, known);
  return known;
}

/** @param applied the migrations that a database has, oldest first */
export function schemaState(dialect: Dialect, applied: readonly AppliedMigration[]): SchemaState {
  const known = knownMigrations(dialect).map(({ hash }) => hash);
  const age = ageOf(
    known,
    applied.map(({ hash }) => hash),
  );
  return { age, number: applied.length, needed: known.length, version: applied.at(-1)?.version ?? null };
}

function ageOf(known: readonly string[], applied: readonly string[]): SchemaAge {
  // Every released version begins with the same migration, since a released one is never changed.
  if (!applied.includes(known[0]!)) return applied.some(isHash) ? "unreleased" : "foreign";
  if (applied.some((hash) => !known.includes(hash))) return "newer";
  return applied.length === known.length ? "newest" : "older";
}

/** Whether it is a SHA-256, as our migrations are recorded: another program's table of the same name holds something else. */
function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/**
 * Refuses a database that a newer program has migrated, because this program does not know its rules. Also refuses one of a
 * version that was never released, because this program cannot read it.
 * @throws Error that says what to do
 */
export function refuseUnknown({ age, version: by }: SchemaState): void {
  if (age === "unreleased") throw new Error(unreleased("The database"));
  if (age === "newer") {
    throw new Error(
      `A newer version of Beckon (${by}) has changed the database, and this one (${version}) does not know its schema. Use that version here, too; or restore a copy from before the change.`,
    );
  }
}

/**
 * Refuses any schema but the newest, for whatever may not change it.
 * @param what the database, as the subject of the sentence
 * @throws Error that says what to do
 */
export function requireNewest(state: SchemaState, what: string): void {
  refuseUnknown(state);
  const migrate = `\`${ownCommand("migrate")}\``;
  if (state.age === "foreign") {
    throw new Error(
      `${what} has no tables of Beckon yet. ${migrate} makes them, and so does the start of the service: ${startCommand()}`,
    );
  }
  if (state.age === "older") {
    throw new Error(
      `${what} has schema ${state.number}, and this version of Beckon (${version}) needs schema ${state.needed}. Stop the service and run ${migrate}, or start it with this version, which does the same.`,
    );
  }
}

/** What is said of an applied migration. */
export function stepOf(at: number, of: number, startedAt: number): string {
  return `Applied migration ${at + 1} of ${of} in ${Math.round(performance.now() - startedAt)} ms.`;
}

/** Refuses a file that no released version has made. @throws Error that says so */
export function refuseForeign({ age }: SchemaState, path: string): void {
  if (age === "foreign") throw new Error(`${path} is no database of Beckon.`);
  if (age === "unreleased") throw new Error(unreleased(path));
}

/** @param what the database, as the subject of the sentence */
function unreleased(what: string): string {
  return `${what} was made by a development version of Beckon before 0.2.0, of which none was released, and this version cannot read it. Start with a new database: set DATABASE_URL to another file or database. Keep the old one, or export its data with the program that made it.`;
}
