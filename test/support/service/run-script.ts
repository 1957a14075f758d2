import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs lines in bash. @param env the whole environment, besides PATH @returns standard output */
export async function shell(lines: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await run("bash", ["-ec", lines], { env: { PATH: process.env.PATH!, ...env } });
  return stdout;
}

/** Runs a module in Node.js. @param folder where it finds the packages that it imports @returns standard output */
export async function script(
  text: string,
  env: Readonly<Record<string, string>>,
  { args = [], folder }: { args?: readonly string[]; folder?: string } = {},
): Promise<string> {
  const directory = await mkdtemp(join(folder ?? tmpdir(), ".beckon-script-"));
  try {
    await writeFile(join(directory, "script.mjs"), text);
    const { stdout } = await run(process.execPath, [join(directory, "script.mjs"), ...args], {
      env: { PATH: process.env.PATH!, ...env },
    });
    return stdout;
  } finally {
    await rm(directory, { recursive: true });
  }
}
