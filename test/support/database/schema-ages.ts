import { NEXT } from "./next-migration.ts";
import { rawQuery } from "./raw-query.ts";

/** Makes a database as it was before the migration NEXT, for which it is older than a program that knows it. */
export async function makeOlder(url: string): Promise<void> {
  await rawQuery(url, "DROP TABLE IF EXISTS next");
  await rawQuery(url, `DELETE FROM migrations WHERE hash = '${NEXT.hash}'`);
}
