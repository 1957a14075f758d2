import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../db/open.ts";
import { unavailableIn } from "../../src/platform/errors/database-unavailable.ts";
import { startPostgres } from "../support/database/postgres-server.ts";
import { noise, smallDisk } from "../support/database/small-disk.ts";

const run = promisify(execFile);

test("a full disk is reported, loses nothing that was acknowledged, and writes resume once there is room", async ({
  skip,
}) => {
  const disk = await smallDisk(24);
  if (!disk) return skip("only root may mount a small disk");
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const space = join(disk, "space");
  await mkdir(space, { mode: 0o777 });
  await run("chmod", ["0777", space]);
  await run("chown", ["65534:65534", space]);
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  await client.query(`CREATE TABLESPACE small LOCATION '${space}'`);
  await client.query("CREATE DATABASE beckon TABLESPACE small");
  await client.end();
  const db = await openDatabase(server.url("beckon"));
  onTestFinished(() => db.close());
  const ballast = join(disk, "ballast");
  await writeFile(ballast, Buffer.alloc(4 * 1024 * 1024));

  const kept: string[] = [];
  const fill = async (count: number) => {
    for (let i = 0; i < count; i++) {
      const name = `${kept.length}`;
      await db.tx((tx) => tx.q.insert(tx.t.meta).values({ name, value: noise(200_000) }));
      kept.push(name);
    }
  };
  const thrown = await fill(1_000).catch((thrown: unknown) => unavailableIn(thrown));
  expect(thrown).toMatchObject({ message: "PostgreSQL's disk is full.", mayHaveHappened: false });
  // Reading goes on all the time.
  const names = async () => (await db.q.select({ name: db.t.meta.name }).from(db.t.meta)).map(({ name }) => name);
  expect((await names()).sort()).toEqual([...kept].sort());
  await rm(ballast);
  await fill(3);
  expect((await names()).sort()).toEqual([...kept].sort());
});
