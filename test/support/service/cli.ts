import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { runCli } from "../../../src/commands/cli.ts";

const folders: string[] = [];

/** Makes a folder for one test, which is removed after it. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "beckon-test-"));
  folders.push(folder);
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Runs `beckon` in this process. With `--json`, standard output is parsed. */
export async function beckon(env: NodeJS.ProcessEnv, ...args: string[]) {
  const seen = { out: "", err: "" };
  const write = (to: "out" | "err") => (text: string) => {
    seen[to] += text;
  };
  const code = await runCli(args, { env, out: write("out"), err: write("err") });
  return { code, ...seen, json: args.includes("--json") ? JSON.parse(seen.out) : undefined };
}
