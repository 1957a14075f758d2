import { parseArgs } from "node:util";
import { tell } from "./demo-agent/story.ts";
import { startWorld } from "./demo-agent/world.ts";

const HELP = `Usage: npm run demo:agent

Plays an agent with a wallet, in about half a minute: starts a local chain with a test dollar and a sandbox that takes
it; the agent registers, its user allows it on the pages, it pays a pack of credits with the stock x402 client,
submits pages over MCP, waits sixteen days of service time, and sees credits come back. No real money, no search
engine; everything is on this machine and gone afterwards.`;

try {
  const { values } = parseArgs({ options: { help: { type: "boolean", short: "h" } } });
  if (values.help) console.log(HELP);
  else process.exitCode = await demo();
} catch (thrown) {
  const { code, message } = thrown as NodeJS.ErrnoException;
  const isUsage = code?.startsWith("ERR_PARSE_ARGS") ?? false;
  console.error(isUsage ? `demo:agent: ${message}\n\n${HELP}` : `demo:agent: ${message}`);
  process.exitCode = isUsage ? 2 : 1;
}

async function demo(): Promise<number> {
  const world = await startWorld();
  const interrupt = () => void world.end().finally(() => process.exit(130));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    return (await tell(world, (text) => console.log(text))) ? 0 : 1;
  } finally {
    await world.end();
  }
}
