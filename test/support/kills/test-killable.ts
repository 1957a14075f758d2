import { afterAll } from "vitest";
import type { Engine } from "../../../db/engine.ts";
import { openDatabase } from "../../../db/open.ts";
import { testDatabase } from "../database/database.ts";
import { KillableService } from "./killable-service.ts";

/** A service to kill in the tests of a file, and its database. */
export async function testKillable(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ service: KillableService; db: Engine }> {
  const database = await testDatabase();
  const service = new KillableService(database.url, settings);
  const db = await openDatabase(database.url);
  afterAll(async () => {
    service.close();
    await db.close();
    await database.drop();
  });
  return { service, db };
}
