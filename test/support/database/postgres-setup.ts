import pg from "pg";
import { openDatabase } from "../../../db/open.ts";
import { shapeAt, TEMPLATE } from "./database.ts";
import { startPostgres } from "./postgres-server.ts";

/**
 * Starts one PostgreSQL server for the whole run, from npm. TEST_POSTGRES_URL names another one instead; its user must be
 * allowed to create databases.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const given = process.env.TEST_POSTGRES_URL;
  const server = given ? null : await startPostgres();
  const url = new URL(given ?? server!.url());
  process.env.TEST_POSTGRES_URL = url.href;
  try {
    await makeTemplate(url);
  } catch (thrown) {
    await server?.stop();
    throw thrown;
  }
  return async () => server?.stop();
}

async function makeTemplate(url: URL): Promise<void> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE}`);
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await client.end();
  const template = new URL(url);
  template.pathname = `/${TEMPLATE}`;
  await (await openDatabase(template.href)).close();
  process.env.TEST_POSTGRES_SHAPE = await shapeAt(template.href);
}
