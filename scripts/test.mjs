// `npm test [-- options of vitest]`: every test, which need a browser and nginx. Beside them, since some only wait: format, lint
// and types, then generated text, then the official MCP conformance suite. It stops at the first failure, with its exit code.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { say } from "./apt.mjs";
import { ensureBrowser } from "./browser.mjs";
import { ensureNginx } from "./nginx.mjs";
import { build, install, root } from "./prepare.mjs";

const bin = (name) => `node_modules/.bin/${name}`;
const given = process.argv.slice(2);

install();
build();
ensureBrowser();
try {
  ensureNginx();
} catch (thrown) {
  say(thrown.message);
  process.exit(1);
}

const checks = [
  ["the check failed; `npm run fix` mends formatting", "npm", "run", "-s", "check"],
  ["generated text is out of date", bin("tsx"), "scripts/generate.ts", "--check"],
];
const conformance = ["MCP conformance is not as expected", process.execPath, "scripts/conformance.mjs"];
if (given.length === 0) checks.push(conformance);

const running = new Set();
await Promise.all([pass("inherit", "tests failed", bin("vitest"), "run", ...given), passAll(checks)]);

/** Runs programs one after the other; each shows what it has to say when it has ended. */
async function passAll(programs) {
  for (const program of programs) await pass("pipe", ...program);
}

/** Runs a program. If it fails, the others are stopped, and this process ends with the same exit code. */
async function pass(output, failure, program, ...args) {
  const child = spawn(program, args, { cwd: root, stdio: ["ignore", output, output] });
  running.add(child);
  const shown = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")));
  const [code] = await Promise.race([once(child, "close"), once(child, "error").then(([thrown]) => [thrown.message])]);
  running.delete(child);
  process.stderr.write((await shown).join(""));
  if (code === 0) return;
  for (const other of running) other.kill();
  await Promise.all([...running].map((other) => once(other, "close")));
  say(`${failure} (exit code ${code})`);
  process.exit(Number(code) || 1);
}
