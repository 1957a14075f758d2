import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const run = promisify(execFile);

/** Mounts a small file system of its own until the test ends. @returns its folder; null where this user may not mount */
export async function smallDisk(megabytes: number): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), "beckon-disk-"));
  const drop = () => rm(folder, { recursive: true, force: true });
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0777`, "tmpfs", folder]);
  } catch {
    await drop();
    return null;
  }
  onTestFinished(async () => {
    await run("umount", ["-l", folder]);
    await drop();
  });
  return folder;
}

/** Random text, which cannot be compressed. */
export function noise(length: number): string {
  let text = "";
  while (text.length < length) text += Math.random().toString(36).slice(2);
  return text;
}
