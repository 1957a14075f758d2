import { shownAddress } from "../../db/open.ts";
import { openInstance } from "../process/instance.ts";
import { defineCommand } from "./command.ts";

export default defineCommand({
  name: "migrate",
  about: "Bring the database to the schema of this version; create it if it is missing",
  detail: [
    "The command serve does the same when it starts, and restore does it to its copy of the backup. The command backup copies",
    "any schema; every other command that opens the database refuses a schema that is not this version's. Stop the service",
    "before an upgrade on SQLite. A SQLite file is copied first, to a file next to it whose name is printed; to go back to the",
    "version before, restore that copy with it. On PostgreSQL make a backup first. It is all or nothing: a migration that is",
    "ended, or fails, changes nothing.",
  ].join("\n"),
  options: {},
  examples: ["migrate"],
  async run(_options, { config, progress }) {
    const steps: string[] = [];
    const { db } = await openInstance(config, {
      migrates: true,
      onStep(step) {
        steps.push(step);
        progress(step);
      },
    });
    const { number: schema } = await db.schema();
    await db.close();
    const database = shownAddress(config.databaseUrl);
    const state = steps.length === 0 ? "had this schema already" : "has it now";
    return { data: { ok: true, database, schema, steps }, text: `${database} ${state}: schema ${schema}.` };
  },
});
