#!/usr/bin/env node
import { once } from "node:events";
import { run } from "./cli/run.ts";

const stopping = new AbortController();
process.once("SIGINT", () => stopping.abort(new Error("interrupted")));
process.once("SIGTERM", () => stopping.abort(new Error("interrupted")));
// Whoever reads the output has gone, as `head` does.
process.stdout.on("error", () => process.exit(0));

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  input: process.stdin,
  async out(text) {
    if (!process.stdout.write(text)) await once(process.stdout, "drain");
  },
  err: (text) => void process.stderr.write(text),
  isOutputTerminal: process.stdout.isTTY === true,
  isInputTerminal: process.stdin.isTTY === true,
  hideTyping: (isHidden) => void process.stdin.setRawMode?.(isHidden),
  width: process.stdout.columns ?? 80,
  signal: stopping.signal,
});
// Standard input may still be open, by which the process would go on.
process.stdin.destroy();
