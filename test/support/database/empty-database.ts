import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { scratchFolder } from "../service/cli.ts";
import { isOnPostgres } from "./database.ts";
import { rawQuery } from "./raw-query.ts";

/** A database without tables, of the dialect that this run of the tests uses, until the test ends. @returns its URL */
export async function emptyDatabase(): Promise<string> {
  if (!isOnPostgres) return `file:${join(scratchFolder(), "empty.db")}`;
  const server = process.env.TEST_POSTGRES_URL!;
  const url = new URL(server);
  const name = `e_${randomUUID().replaceAll("-", "")}`;
  url.pathname = `/${name}`;
  await rawQuery(server, `CREATE DATABASE ${name} TEMPLATE template0`);
  onTestFinished(async () => void (await rawQuery(server, `DROP DATABASE ${name} WITH (FORCE)`)));
  return url.href;
}
