import { shownAddress } from "../../db/open.ts";
import type { Config } from "../platform/config/config.ts";
import { formatNumber } from "../platform/format.ts";
import { ownCommand } from "../platform/own-command.ts";
import { demoKey, demoSignInUrl } from "../process/demo-key.ts";
import type { Instance } from "../process/instance.ts";
import { createLog } from "../process/log.ts";
import { startService } from "../process/service.ts";
import { defineCommand } from "./command.ts";
import { grantLine } from "./grant-line.ts";
import { untilStopped } from "./until-stopped.ts";

export default defineCommand({
  name: "serve",
  about: "Run the service: API, MCP server, pages and checker",
  detail: [
    "Prints the address. A sandbox on a loopback HOST also prints the key of a demo account, and a link that signs a browser in",
    "to that account once.",
    "SIGTERM or Ctrl-C stops it: /readyz answers 503 from then on, and it ends when the calls and steps in hand are done. A",
    "second signal ends it at once. A PostgreSQL that does not answer yet is waited for, up to a minute.",
  ].join("\n"),
  options: {},
  examples: ["serve"],
  async run(_options, { config, json, print }) {
    const log = createLog(config);
    // From when callers can connect, a signal is kept until the start is over, so that what has begun is finished.
    let stopped: Promise<NodeJS.Signals> | undefined;
    const beforeListening = () => {
      stopped = untilStopped();
    };
    const service = await startService(config, log, { beforeListening });
    const { instance, address } = service;
    const { mode, role, nodeName: node } = config;
    const database = shownAddress(config.databaseUrl);
    const demo = role === "work" ? null : await openDemo(instance);
    if (json) print(JSON.stringify({ address, mode, database, pid: process.pid, demo }));
    else print(role === "work" ? aboutWorker(address, config) : welcome(address, config, demo));
    log.info({ address, mode, role, node, database, scale: instance.clock.anchor.scale }, "serving");

    const signal = await stopped!;
    log.info({ signal }, "stopping");
    await service.stop();
    log.info({}, "stopped");
    // Steps that were released may still have a request open, which would keep the process alive.
    setTimeout(() => process.exit(), 1_000).unref();
    return undefined;
  },
});

const FIRST = "you@example.com";

/** The demo account as `--json` shows it. */
async function openDemo(instance: Instance) {
  const key = await demoKey(instance);
  return key && { ...key, sign_in_url: await demoSignInUrl(instance) };
}

type Demo = Awaited<ReturnType<typeof openDemo>>;

function aboutWorker(address: string, { nodeName }: Config): string {
  return `Beckon works as ${nodeName} and answers no callers; its state is at ${address}/readyz`;
}

function welcome(address: string, config: Config, demo: Demo): string {
  const { mode, databaseUrl } = config;
  const about = mode === "sandbox" ? "a sandbox: no search engine is called, no money moves" : "live";
  const head = `Beckon is running at ${address} (${about})\nDatabase: ${shownAddress(databaseUrl)}`;
  if (!demo) return `${head}\n${firstAccount(config)}\n`;
  const { key, credits, sign_in_url: signInUrl } = demo;
  const bearer = `"Authorization: Bearer ${key}"`;
  return `${head}
Demo key: ${key}  (${formatNumber(credits)} credits)

Submit two pages, connect an agent, or sign in with a browser:
  curl -s ${address}/api/v1/projects -H ${bearer} -H "Content-Type: application/json" -d '{"urls":["https://example.com/","https://example.org/about"]}'
  claude mcp add --transport http beckon ${address}/mcp --header ${bearer}
  ${signInUrl}

The link works once, within an hour; every start prints a new one.
`;
}

/** How to create an account whose key can index; where credits are sold, once it has bought some. */
function firstAccount({ mode, isSelling }: Config): string {
  const isSandbox = mode === "sandbox";
  const line = `account create --email ${FIRST}${isSandbox ? " --paid --credits 10000" : ""} --key first`;
  const create = `Create an account with a key: ${ownCommand(line)}`;
  return isSandbox || isSelling ? create : `${create}\nThen let it index: ${grantLine(FIRST)}`;
}
