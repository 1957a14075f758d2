#!/usr/bin/env node
import { run } from "./cli/run.ts";
import { processTerminal } from "./cli/terminal.ts";

const stopping = new AbortController();
process.once("SIGINT", () => stopping.abort(new Error("interrupted")));
process.once("SIGTERM", () => stopping.abort(new Error("interrupted")));

process.exitCode = await run(process.argv.slice(2), processTerminal(process.env, stopping.signal));
// Standard input may still be open, which would keep the process alive.
process.stdin.destroy();
