import { spawnSync } from "node:child_process";
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../db/open.ts";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { scratchFolder } from "../../support/service/cli.ts";

test("a new database, its write-ahead log and its shared memory can be read by their owner only", async () => {
  const path = join(scratchFolder(), "new.db");
  const db = await openDatabase(`file:${path}`);
  onTestFinished(() => db.close());
  for (const suffix of ["", "-wal", "-shm"]) expect(statSync(path + suffix).mode & 0o777, suffix).toBe(0o600);
});

const NOBODY = 65_534;

test.skipIf(process.getuid?.() !== 0)("refused: the data folder of another user; says whose it is", async () => {
  const folder = scratchFolder();
  chmodSync(folder, 0o755);
  const path = join(folder, "beckon.db");
  await (await openDatabase(`file:${path}`)).close();
  const said = (file: string) => {
    const script = `const { openDatabase, openMigrated } = await import(${JSON.stringify(join(packageRoot, "db/open.ts"))});
      for (const open of [openDatabase, openMigrated])
        await open(${JSON.stringify(`file:${file}`)}).catch(({ message }) => process.stdout.write(message + "\\n"));`;
    const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR ?? "/tmp" };
    const args = ["--import", "tsx", "--input-type=module", "-e", script];
    return spawnSync(process.execPath, args, { cwd: packageRoot, uid: NOBODY, gid: NOBODY, env, encoding: "utf8" });
  };
  const { stdout, stderr } = said(path);
  const whose = `${path} belongs to the user with id 0, and this program runs as ${NOBODY}.`;
  const sentence = `${path} cannot be opened. Check its path, and whether this user may read and write there. ${whose}\n`;
  expect([stdout, stderr]).toEqual([sentence.repeat(2), ""]);
  expect(said(join(folder, "new.db")).stdout).toContain(`${folder} belongs to the user with id 0`);
});
