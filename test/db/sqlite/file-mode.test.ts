import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../db/open.ts";
import { scratchFolder } from "../../support/service/cli.ts";

test("a new database, its write-ahead log and its shared memory can be read by their owner only", async () => {
  const path = join(scratchFolder(), "new.db");
  const db = await openDatabase(`file:${path}`);
  onTestFinished(() => db.close());
  for (const suffix of ["", "-wal", "-shm"]) expect(statSync(path + suffix).mode & 0o777, suffix).toBe(0o600);
});
