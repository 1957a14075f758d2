import { shownAddress } from "../../db/open.ts";
import type { Config } from "../platform/config/config.ts";
import { demoKey } from "../process/demo-key.ts";
import { createLog } from "../process/log.ts";
import { startService } from "../process/service.ts";
import { defineCommand } from "./command.ts";
import { untilStopped } from "./until-stopped.ts";

export default defineCommand({
  name: "serve",
  about: "Run the service: API, MCP server, pages and checker",
  detail: [
    "Stops on SIGTERM or Ctrl-C once the calls and steps in hand are done, and is not ready (/readyz) from then on; a second",
    "signal ends it at once. A PostgreSQL that does not answer yet is waited for, up to a minute.",
  ].join("\n"),
  options: {},
  async run(_options, { config, json, print }) {
    const log = createLog(config);
    const service = await startService(config, log);
    const { instance, address } = service;
    const { mode, role, nodeName: node } = config;
    const database = shownAddress(config.databaseUrl);
    const demo = role === "work" ? null : await demoKey(instance);
    const said = role === "work" ? atWork(address, config) : welcome(address, config, demo);
    print(json ? JSON.stringify({ address, mode, database, pid: process.pid, demo }) : said);
    log.info({ address, mode, role, node, database, scale: instance.clock.anchor.scale }, "serving");

    const signal = await untilStopped();
    log.info({ signal }, "stopping");
    await service.stop();
    log.info({}, "stopped");
    // Steps that were let go of may still wait for somebody.
    setTimeout(() => process.exit(), 1_000).unref();
    return undefined;
  },
});

function atWork(address: string, { nodeName }: Config): string {
  return `Beckon works as ${nodeName} and answers no callers; how it is: ${address}/readyz`;
}

type Demo = Awaited<ReturnType<typeof demoKey>>;

function welcome(address: string, { mode, mail, databaseUrl }: Config, demo: Demo): string {
  const about = mode === "sandbox" ? "a sandbox: no search engine is called, no money moves" : "live";
  const head = `Beckon is running at ${address} (${about})\nDatabase: ${shownAddress(databaseUrl)}`;
  if (!demo)
    return `${head}\nMake an account with a key: npm run -s beckon -- account create --email you@example.com\n`;
  const bearer = `"Authorization: Bearer ${demo.key}"`;
  return `${head}
Demo key: ${demo.key}  (${demo.credits.toLocaleString("en-US")} credits)

Submit two pages, connect an agent, or look at it:
  curl -s ${address}/api/v1/projects -H ${bearer} -H "Content-Type: application/json" -d '{"urls":["https://example.com/","https://example.org/about"]}'
  claude mcp add --transport http beckon ${address}/mcp --header ${bearer}
  ${address}/

To see the demo account in the browser, ask for a password as ${demo.email} at ${address}/forgot${mail === "console" ? "; mail is printed here" : ""}.
`;
}
