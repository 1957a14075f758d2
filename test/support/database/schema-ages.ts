import { isPostgres } from "../../../db/open.ts";
import { NEXT } from "./next-migration.ts";
import { rawQuery } from "./raw-query.ts";

/** Makes a database as it was before the migration NEXT, for which it is older than a program that knows it. */
export async function makeOlder(url: string): Promise<void> {
  await rawQuery(url, "DROP TABLE IF EXISTS next");
  await rawQuery(url, `DELETE FROM migrations WHERE hash = '${NEXT.hash}'`);
}

/** Hashes of the first migrations of the development versions before 0.2.0. */
const UNRELEASED = {
  pg: "466e91a8f2772d9892678e68138b83ce5ee472ac7650cc38cda4ce1dab92596c",
  sqlite: "51af2991864b72dbbb3499182edf82c7fd7f22f9dafaf276c58cb77bd18929f1",
} as const;

/** Records the migration of a development version in a database, in place of ours. */
export async function makeUnreleased(url: string): Promise<void> {
  const hash = UNRELEASED[isPostgres(url) ? "pg" : "sqlite"];
  await rawQuery(url, `UPDATE migrations SET hash = '${hash}' WHERE hash <> 'lock'`);
}

/** What is said of a database of a development version. @param what the database, as the subject of the sentence */
export function unreleasedSentence(what: string): string {
  return `${what} was made by a development version of Beckon before 0.2.0, of which none was released, and this version cannot read it. Start with a new database: set DATABASE_URL to another file or database. Keep the old one, or export its data with the program that made it.`;
}
