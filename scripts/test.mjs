// `npm test [-- options of vitest]`: every test, which need a browser and nginx, on Node.js 24. Meanwhile, since some only wait:
// format, lint and types, then generated text, then the official MCP conformance suite, then the quick tests on Node.js 22. It
// stops at the first failure, with its exit code.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter } from "node:path";
import { text } from "node:stream/consumers";
import { bringNode } from "./setup/bring-node.mjs";
import { ensureBrowser } from "./setup/browser.mjs";
import { root } from "./setup/folders.mjs";
import { ensureNginx } from "./setup/nginx.mjs";
import { prepare } from "./setup/prepare.mjs";
import { orExplain, say } from "./setup/say.mjs";

const bin = (name) => `node_modules/.bin/${name}`;
const given = process.argv.slice(2);

const on24 = await environmentOf(24);
await prepare({ tests: true });
ensureBrowser();
try {
  ensureNginx();
} catch (thrown) {
  say(thrown.message);
  process.exit(1);
}

const checks = [
  ["the check failed; `npm run fix` mends formatting", on24, "npm", "run", "-s", "check"],
  ["generated text is out of date", on24, bin("tsx"), "scripts/generate.ts", "--check"],
];
if (given.length === 0) {
  const on22 = await environmentOf(22);
  checks.push(
    ["MCP conformance is not as expected", on24, "node", "scripts/conformance.mjs"],
    ["the quick tests failed on Node.js 22", on22, "node", "scripts/test-quick.mjs"],
  );
}

const running = new Set();
await Promise.all([pass("inherit", "tests failed", on24, bin("vitest"), "run", ...given), passAll(checks)]);

/** The environment of a program that runs on that Node.js, which is brought where this is another. */
async function environmentOf(major) {
  if (process.versions.node.startsWith(`${major}.`)) return process.env;
  const why = `the tests run on Node.js ${major}, and this is ${process.versions.node}`;
  return { ...process.env, PATH: `${await orExplain(bringNode(major, why))}${delimiter}${process.env.PATH}` };
}

/** Runs programs one after the other; each shows what it has to say when it has ended. */
async function passAll(programs) {
  for (const program of programs) await pass("pipe", ...program);
}

/** Runs a program. If it fails, the others are stopped, and this process ends with the same exit code. */
async function pass(output, failure, env, program, ...args) {
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", output, output] });
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
