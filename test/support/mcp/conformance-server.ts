import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryServerEventBus, McpServer } from "@modelcontextprotocol/server";
import { type Admission, RequestGuard } from "../../../src/contract/authenticate.ts";
import { inlineExecutor } from "../../../src/contract/executor.ts";
import { OpenStreams } from "../../../src/contract/open-streams.ts";
import { createAccount } from "../../../src/domain/accounts/accounts.ts";
import { NO_PAYMENTS } from "../../../src/domain/payments/payments.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { createHttpClient } from "../../../src/platform/http-client/http-client.ts";
import { type Principal, SCOPES } from "../../../src/platform/principal.ts";
import { createApp } from "../../../src/process/app.ts";
import { openInstance } from "../../../src/process/instance.ts";
import { refuseForeignOrigin } from "../../../src/surfaces/http-server/origin.ts";
import { mcpHandler } from "../../../src/surfaces/mcp/http.ts";
import { registerCalls } from "./fixtures/calls.ts";
import { registerContent } from "./fixtures/content.ts";
import { registerInputRequired, sealed } from "./fixtures/input-required.ts";
import { registerPrompts } from "./fixtures/prompts.ts";
import { registerResources } from "./fixtures/resources.ts";

/**
 * The server that `npm run conformance` tests: the handler of `/mcp` with the fixtures that the official suite needs or,
 * with `--plain`, the product itself. Prints its address, and exits when its standard input ends.
 */
const folder = mkdtempSync(join(tmpdir(), "beckon-conformance-"));
const config = readConfig({ DATABASE_URL: `file:${join(folder, "conformance.db")}` });
const instance = await openInstance(config, { migrates: true });

/** Admits everything: the suite sends no credential, calls tools that need one, and exceeds the limits of anonymous callers. */
class OpenGuard extends RequestGuard {
  override async admit(): Promise<Admission> {
    return { principal, headers: {}, requestsToday: 0 };
  }
}
const account = await instance.db.tx((tx) => createAccount(tx, { email: "suite@example.com", now: Date.now() }));
const credential = { id: "key_suite", type: "api_key", name: "suite", scopes: SCOPES, holder: "key_suite" } as const;
const principal: Principal = { accountId: account.id, personId: account.ownerId, role: "owner", credential };
const guard = new OpenGuard(instance.db, instance.clock, config);
const services = { ...instance, http: createHttpClient(config), payments: NO_PAYMENTS };
const log = { error: (fields: object) => process.stderr.write(`${JSON.stringify(fields)}\n`) };

const server = process.argv.includes("--plain")
  ? createApp({ ...services, log, guard, mailer: { queue: async () => undefined } })
  : fixtureServer();
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`);
});

process.stdin.resume().once("end", () => {
  server.close(async () => {
    await instance.db.close();
    rmSync(folder, { recursive: true });
  });
  server.closeAllConnections();
});

function fixtureServer() {
  const bus = new InMemoryServerEventBus();
  const parts = {
    services,
    guard,
    executor: inlineExecutor(services),
    streams: new OpenStreams({ ...services, log }),
    log,
  };
  const handle = mcpHandler({ ...parts, serving: { serverFor: () => fixtures(bus), bus } });
  return createServer((req, res) => {
    try {
      refuseForeignOrigin(req, config);
    } catch {
      res.writeHead(403).end();
      return;
    }
    void handle(req, res);
  });
}

function fixtures(bus: InMemoryServerEventBus): McpServer {
  const changing = { listChanged: true };
  const mcp = new McpServer(
    { name: "beckon-fixtures", version: "1.0.0" },
    {
      capabilities: { tools: changing, prompts: changing, resources: { ...changing, subscribe: true }, logging: {} },
      requestState: { verify: sealed.verify },
    },
  );
  registerContent(mcp);
  registerCalls(mcp, bus);
  registerInputRequired(mcp);
  registerResources(mcp);
  registerPrompts(mcp);
  return mcp;
}
