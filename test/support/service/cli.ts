import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { runCli } from "../../../src/commands/cli.ts";

/** Makes a folder that is removed after the test; with `afterAll`, after the tests of the file. */
export function scratchFolder(after: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "beckon-test-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs `beckon` in this process. With `--json`, standard output is parsed. */
export async function beckon(env: NodeJS.ProcessEnv, ...args: string[]) {
  const seen = { out: "", err: "" };
  const write = (to: "out" | "err") => (text: string) => {
    seen[to] += text;
  };
  const code = await runCli(args, { env, out: write("out"), err: write("err") });
  return { code, ...seen, json: args.includes("--json") ? JSON.parse(seen.out) : undefined };
}

/** Runs `beckon account create`, and `migrate` before it, so that there is a database. */
export async function accountIn(env: NodeJS.ProcessEnv, ...args: string[]) {
  expect(await beckon(env, "migrate")).toMatchObject({ code: 0 });
  return beckon(env, "account", "create", ...args);
}
