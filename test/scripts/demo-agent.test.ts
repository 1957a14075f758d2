import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/platform/package-root.ts";
import { scratchFolder } from "../support/service/cli.ts";

function demo(...args: string[]) {
  const TMPDIR = scratchFolder();
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/demo-agent.mjs", ...args], {
    cwd: packageRoot,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR },
    encoding: "utf8",
    timeout: 120_000,
  });
  return { status, stdout, stderr, left: readdirSync(TMPDIR).filter((name) => name.startsWith("beckon-")) };
}

test("exit 0: the demo ends with credits returned, and leaves no process or file behind", { timeout: 130_000 }, () => {
  const { status, stdout, stderr, left: leftBehind } = demo();
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining("Error") });
  expect(stdout).toContain("wallet $15.01, Beckon's $9.99, account 150 credits");
  const [, spent, returned, left] = /150 bought - (\d+) spent \+ (\d+) returned = (\d+) credits/.exec(stdout) ?? [];
  expect(Number(returned)).toBeGreaterThan(0);
  expect(150 - Number(spent) + Number(returned)).toBe(Number(left));
  expect(stdout).toContain("Audit: ledger, orders and links agree.");
  expect(leftBehind).toEqual([]);
});

test("exit 0 --help: says what it does, without doing it", () => {
  const { status, stdout } = demo("--help");
  expect([status, stdout.split("\n")[0]]).toEqual([0, "Usage: npm run demo:agent"]);
});

test("exit 2: an unknown option", () => {
  const { status, stderr } = demo("--pack", "pro");
  expect(status).toBe(2);
  expect(stderr).toContain("Usage: npm run demo:agent");
});
