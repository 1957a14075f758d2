import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/platform/package-root.ts";
import { BUNDLE } from "../support/service/beckon-command.ts";
import { scratchFolder } from "../support/service/cli.ts";

/** As it is bundled, which starts in a fraction of the time that the sources take. */
const BUNDLED = join(BUNDLE, "demo-agent.js");

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { PATH, HOME } = process.env;
  return spawnSync(process.execPath, args, {
    cwd: packageRoot,
    env: { PATH, HOME, ...env },
    encoding: "utf8",
    timeout: 120_000,
  });
}

test("exit 0: the demo ends with credits returned, and leaves no process or file behind", { timeout: 130_000 }, () => {
  const TMPDIR = scratchFolder();
  const { status, stdout, stderr } = run([BUNDLED], { TMPDIR });
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining("Error") });
  expect(stdout).toContain("wallet $15.01, Beckon's $9.99, account 150 credits");
  const [, spent, returned, left] = /150 bought - (\d+) spent \+ (\d+) returned = (\d+) credits/.exec(stdout) ?? [];
  expect(Number(returned)).toBeGreaterThan(0);
  expect(150 - Number(spent) + Number(returned)).toBe(Number(left));
  expect(stdout).toContain("Audit: ledger, orders and links agree.");
  expect(readdirSync(TMPDIR).filter((name) => name.startsWith("beckon-"))).toEqual([]);
});

test("exit 0 --help: says what it does, without doing it", () => {
  const { status, stdout } = run(["scripts/run.mjs", "scripts/demo-agent.ts", "--help"]);
  expect([status, stdout.split("\n")[0]]).toEqual([0, "Usage: npm run demo:agent"]);
});

test("exit 2: an unknown option", () => {
  const { status, stderr } = run([BUNDLED, "--pack", "pro"]);
  expect(status).toBe(2);
  expect(stderr).toContain("Usage: npm run demo:agent");
});
