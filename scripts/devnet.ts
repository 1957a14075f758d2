import { parseArgs } from "node:util";
import { untilStopped } from "../src/commands/until-stopped.ts";
import type { Ports } from "./devnet/environment.ts";
import { parentGone } from "./devnet/parent.ts";
import { instructions } from "./devnet/say.ts";

const HELP = `Usage: npm run devnet [-- OPTIONS]

Starts a chain of its own with a test dollar, a facilitator of x402, a buyer with a thousand test dollars, and Beckon
as a sandbox that takes them. Everything is on this machine, worth nothing, and gone when it ends. Ctrl-C ends it.

--chain-only          leave Beckon to you: prints the settings to start it with
--port N              port of Beckon; default: 3000, and 0 takes a free one, as with the next two
--chain-port N        port of the chain's JSON-RPC; default: 8545
--facilitator-port N  port of the facilitator; default: 4021
--json                print one JSON document in place of the text`;

try {
  const { values } = parseArgs({
    options: {
      "chain-only": { type: "boolean", default: false },
      port: { type: "string", default: "3000" },
      "chain-port": { type: "string", default: "8545" },
      "facilitator-port": { type: "string", default: "4021" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) console.log(HELP);
  else {
    const ports = {
      beckon: values["chain-only"] ? null : portOf("port", values.port),
      chain: portOf("chain-port", values["chain-port"]),
      facilitator: portOf("facilitator-port", values["facilitator-port"]),
    };
    process.exitCode = await run(ports, values.json);
  }
} catch (thrown) {
  const { code, message } = thrown as NodeJS.ErrnoException;
  const isTaken = code === "EADDRINUSE" || / in use\b/.test(message);
  console.error(`devnet: ${isTaken ? "a port is taken; choose another, or 0 for a free one (--help)" : message}`);
  process.exitCode = code?.startsWith("ERR_PARSE_ARGS") ? 2 : 1;
}

async function run(ports: Ports, json: boolean): Promise<number> {
  const ends = [untilStopped(), parentGone()];
  // Loaded late, since loading Beckon and viem takes time that a wrong option should not cost.
  const { startPlace } = await import("./devnet/environment.ts");
  const place = await startPlace(ports);
  console.log(json ? JSON.stringify({ ...place.facts, pid: process.pid }) : instructions(place.facts));
  const why = await Promise.race([...ends, place.chainEnded]);
  if (why === "chain") console.error("devnet: the chain has ended");
  await place.end();
  return why === "chain" ? 1 : 0;
}

function portOf(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > 65_535) throw new Error(`--${name}: "${text}" is not a port`);
  return port;
}
