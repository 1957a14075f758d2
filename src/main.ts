#!/usr/bin/env node
import { isNodeRecent, NODE_ADVICE } from "./platform/node-version.ts";
import { startSmall } from "./platform/young-space.ts";

// Node.js 18 can read this file too. The program follows only where it runs: a native package would end an older Node.js by a
// signal, without a word.
if (isNodeRecent(process.versions.node)) {
  // Options of every command may stand before its name.
  if (process.argv.slice(2).find((arg) => !arg.startsWith("-")) === "serve") startSmall();
  const { runCli } = await import("./commands/cli.ts");
  const { terminalOf } = await import("./commands/output.ts");
  process.exitCode = await runCli(process.argv.slice(2), terminalOf(process));
} else {
  process.stderr.write(`beckon: this is Node.js ${process.versions.node}, which is too old. ${NODE_ADVICE}\n`);
  process.exitCode = 1;
}
