import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What a shell prints for these lines. @param env beside PATH, which is all it has of ours */
export async function shell(lines: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await run("bash", ["-ec", lines], { env: { PATH: process.env.PATH!, ...env } });
  return stdout;
}

/** What Node.js prints for this module; it is run from `folder` where it imports packages. */
export async function script(
  text: string,
  env: Readonly<Record<string, string>>,
  { args = [], folder }: { args?: readonly string[]; folder?: string } = {},
): Promise<string> {
  const place = await mkdtemp(join(folder ?? tmpdir(), ".beckon-script-"));
  try {
    await writeFile(join(place, "script.mjs"), text);
    const { stdout } = await run(process.execPath, [join(place, "script.mjs"), ...args], {
      env: { PATH: process.env.PATH!, ...env },
    });
    return stdout;
  } finally {
    await rm(place, { recursive: true });
  }
}
