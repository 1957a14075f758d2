import { parseArgs } from "node:util";
import { untilStopped } from "../src/commands/until-stopped.ts";
import { startFaultyNode } from "../test/support/payments/chain/faulty-node.ts";
import { FAULT_KINDS, parseStep } from "../test/support/payments/chain/node-script.ts";
import { parentGone } from "./devnet/parent.ts";

const KINDS = Object.entries(FAULT_KINDS).map(([name, does]) => `  ${name.padEnd(10)}${does}`);

const HELP = `Usage: npm run faulty-node -- [OPTIONS] STEP...

Stands before a node of a chain and misbehaves by a script, to see what a service does whose X402_RPC_URL it is.
The steps are played one after the other; after the last one, calls pass as they are. Ctrl-C ends it.

--upstream URL  JSON-RPC of the node behind; default: http://127.0.0.1:8545, which "npm run devnet" starts
--second URL    JSON-RPC of another chain, for the fault "second"; "npm run devnet -- --chain-only --chain-port 8546
                --facilitator-port 4022" starts one with the same id and the same test dollar
--port N        port to listen on; default: 8555, and 0 takes a free one

A step: METHODS FAULT [+ METHODS FAULT ...] [DURATION]
METHODS is * or names joined by commas, DURATION is in seconds (20s; without one: until the end), and FAULT is one of:

${KINDS.join("\n")}

For example, logs that lag by 20 s for a minute, nothing for 10 s, and then another chain:

  npm run faulty-node -- --second http://127.0.0.1:8546 \\
    "eth_getLogs late:20s 60s" "ok 10s" "eth_chainId chain-id + * second"`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      upstream: { type: "string", default: "http://127.0.0.1:8545" },
      second: { type: "string" },
      port: { type: "string", default: "8555" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) console.log(HELP);
  else await run(values, positionals);
} catch (thrown) {
  const { code, message } = thrown as NodeJS.ErrnoException;
  console.error(`faulty-node: ${code === "EADDRINUSE" ? "the port is taken; choose another with --port" : message}`);
  process.exitCode = code?.startsWith("ERR_PARSE_ARGS") ? 2 : 1;
}

interface Options {
  readonly upstream: string;
  readonly second?: string | undefined;
  readonly port: string;
}

async function run({ upstream, second, port }: Options, texts: readonly string[]): Promise<void> {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Error(`--port: "${port}" is not a port`);
  const ends = [untilStopped(), parentGone()];
  const steps = texts.map(parseStep);
  const isSecond = steps.some(({ faults }) => faults.some(({ kind }) => kind === "second"));
  if (isSecond && second === undefined) throw new Error('the fault "second" needs --second URL');
  const now = () => Date.now() / 1000;
  const node = await startFaultyNode({ upstream, second, now, port: Number(port) }, steps, (step) => {
    console.log(`${new Date().toISOString()}  ${step ? texts[steps.indexOf(step)] : "ok: all calls pass as they are"}`);
  });
  console.log(`faulty-node: X402_RPC_URL=${node.url}, before ${upstream}`);
  await Promise.race(ends);
  await node.close();
}
