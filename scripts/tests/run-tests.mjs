import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { root } from "../setup/folders.mjs";
import { say } from "../setup/say.mjs";

const VITEST = ["node_modules/.bin/vitest", "run", "--reporter=./test/support/checks/progress-reporter.ts"];

const NAMES = {
  all: "tests",
  deep: "deep tests",
  quick: "quick tests",
  quick22: "quick tests on Node.js 22",
};

/** The tests of a tier (test/support/checks/tiers.ts), as a program to run. */
export function testsOf(tier, env, options = []) {
  return { what: NAMES[tier], env: { ...env, TEST_TIER: tier }, command: [...VITEST, ...options] };
}

const running = new Set();
let isEnding = false;

/**
 * Runs lists of programs at once, those of a list one after the other. The first list shows what it says; of the others one sees
 * how far they are, and everything when one fails. Then all are stopped, and this process ends with the same exit code.
 */
export async function runAll(shown, ...quiet) {
  await Promise.all([inTurn(shown, true), ...quiet.map((programs) => inTurn(programs, false))]);
}

async function inTurn(programs, isShown) {
  for (const program of programs) await run(program, isShown);
}

/** Runs a program that passes if it ends with exit code 0. */
async function run({ what, env, command: [program, ...args], help }, isShown) {
  const began = Date.now();
  const output = isShown ? "inherit" : "pipe";
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", output, output] });
  running.add(child);
  const said = [];
  for (const stream of isShown ? [] : [child.stdout, child.stderr])
    createInterface(stream).on("line", (line) => {
      if (line.startsWith("beckon: ")) tell(`${what}: ${line.slice("beckon: ".length)}`);
      else said.push(line);
    });
  const [code] = await Promise.race([once(child, "close"), once(child, "error").then(([thrown]) => [thrown.message])]);
  running.delete(child);
  if (code === 0) return tell(`${what}: passed in ${Math.round((Date.now() - began) / 1000)} s`);
  // What is stopped has not failed.
  if (isEnding) return new Promise(() => {});
  isEnding = true;
  for (const other of running) other.kill();
  await Promise.all([...running].map((other) => once(other, "close")));
  if (said.length > 0) process.stderr.write(`${said.join("\n")}\n`);
  tell(`${what}: failed (exit code ${code})${help ? `; ${help}` : ""}`);
  process.exit(Number(code) || 1);
}

/** In place of a line that moves on a terminal, which comes again. */
function tell(text) {
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  say(text);
}
