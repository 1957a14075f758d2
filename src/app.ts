import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { a2aMethods } from "../a2a/agent/agent.ts";
import { A2A, a2aHandler } from "../a2a/bindings/http.ts";
import { agentCards } from "../a2a/card/variants.ts";
import { sendRefusal } from "../rest/errors.ts";
import { restHandler } from "../rest/handler.ts";
import { openApiDocument } from "../rest/openapi.ts";
import { PREFIX } from "../rest/router.ts";
import { MINUTE, SECOND } from "./clock.ts";
import { Gate } from "./contract/admit.ts";
import type { Services } from "./contract/call.ts";
import { type Executor, inlineExecutor } from "./contract/executor.ts";
import { discoveryFiles, FRONT_PAGE_LINKS, type PublicFile } from "./discovery/index.ts";
import { documentsOf } from "./docs/index.ts";
import type { Mailer } from "./mail/mailer.ts";
import { mcpHandler } from "./mcp/http.ts";
import { serverCard } from "./mcp/server-card.ts";
import { isOAuthPath, oauthHandler } from "./oauth/handler.ts";
import { siteApp } from "./site/app.ts";
import type { Log } from "./web/log.ts";
import { refuseForeign } from "./web/origin.ts";
import { WEBHOOKS, webhookHandler } from "./webhooks/handler.ts";

export interface AppParts extends Services {
  readonly log: Log;
  readonly mailer: Mailer;
  /** Default: every call runs on this thread. */
  readonly executor?: Executor;
  /** Given by who wants to write its counts when the process stops. */
  readonly gate?: Gate;
  /** Given by who has to know the port before the app. */
  readonly server?: Server;
  /** How long a client may take over a body, in ms. */
  readonly bodyTimeMs?: number;
  /** Aborted when the service stops: streams that are open end then. */
  readonly stopping?: AbortSignal;
}

/** The whole service as one server: the REST API, MCP, A2A and the pages. */
export function createApp({ log, mailer, bodyTimeMs, stopping, ...parts }: AppParts): Server {
  const services: Services = {
    db: parts.db,
    clock: parts.clock,
    config: parts.config,
    http: parts.http,
    payments: parts.payments,
  };
  const gate = parts.gate ?? new Gate(services.db, services.clock, services.config);
  const executor = parts.executor ?? inlineExecutor(services);
  const rest = restHandler({ services, gate, executor, log, bodyTimeMs });
  const mcp = mcpHandler({ services, gate, executor, log, bodyTimeMs });
  const methods = a2aMethods({ services, gate, executor, log });
  const a2a = a2aHandler({ config: services.config, gate, methods, log, stopping, bodyTimeMs });
  const oauth = oauthHandler({ ...services, gate, log });
  const webhooks = webhookHandler({ ...services, gate, log });
  const files = publicFiles(services.config);
  const addresses = new Set(files.flatMap(({ path, aliases = [] }) => [path, ...aliases]));
  const site = siteApp({ services: { ...services, log, mailer }, files, links: FRONT_PAGE_LINKS });

  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    try {
      refuseForeign(req, services.config);
      if (addresses.has(req.url!.split("?")[0]!)) site(req, res);
      else if (isUnder(req, PREFIX)) await rest(req, res);
      else if (isUnder(req, "/mcp")) await mcp(req, res);
      else if (isUnder(req, A2A)) await a2a(req, res);
      else if (isUnder(req, WEBHOOKS)) await webhooks(req, res);
      else if (isOAuthPath(req.url!.split("?")[0]!)) await oauth(req, res);
      else site(req, res);
    } catch (thrown) {
      sendRefusal(req, res, thrown, { siteUrl: services.config.siteUrl, log, headers: {} });
    }
  };

  const server = parts.server ?? createServer();
  configure(server);
  server.on("request", (req, res) => void handle(req, res));
  // The REST API, MCP, A2A, webhooks and the authorization server ask for a body themselves, once they want one; the pages always want it.
  server.on("checkContinue", (req, res) => {
    const asksItself = [PREFIX, "/mcp", A2A, WEBHOOKS].some((prefix) => isUnder(req, prefix));
    if (!asksItself && !isOAuthPath(req.url!.split("?")[0]!)) res.writeContinue();
    void handle(req, res);
  });
  countDays(server, gate, log);
  return server;
}

/** What a machine finds the service by; this file alone knows all that is described. */
function publicFiles(config: AppParts["config"]): readonly PublicFile[] {
  return discoveryFiles({
    config,
    documents: documentsOf(config),
    openApi: openApiDocument(config),
    serverCard: serverCard(config),
    agentCard: agentCards(config),
  });
}

/** Headers come at once, a body within its own time (web/body.ts), and an idle connection is not kept for long. */
function configure(server: Server): void {
  server.headersTimeout = 15 * SECOND;
  server.requestTimeout = 3 * MINUTE;
  server.keepAliveTimeout = 65 * SECOND;
}

function isUnder(req: IncomingMessage, prefix: string): boolean {
  return req.url === prefix || (req.url!.startsWith(prefix) && "/?".includes(req.url![prefix.length]!));
}

/** Writes the requests counted once a second, as long as the server listens. */
function countDays(server: Server, gate: Gate, log: Log): void {
  const flush = () => gate.flush().catch((err) => log.error({ err }, "the day's counts were not written"));
  const timer = setInterval(() => void flush(), SECOND);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}
