import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { sendRefusal } from "../rest/errors.ts";
import { restHandler } from "../rest/handler.ts";
import { openApiDocument } from "../rest/openapi.ts";
import { PREFIX } from "../rest/router.ts";
import { MINUTE, SECOND } from "./clock.ts";
import { Gate } from "./contract/admit.ts";
import type { Services } from "./contract/call.ts";
import { type Executor, inlineExecutor } from "./contract/executor.ts";
import type { Mailer } from "./mail/mailer.ts";
import { mcpHandler } from "./mcp/http.ts";
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
}

/** The whole service as one server: the REST API, MCP and the pages. */
export function createApp({ log, mailer, bodyTimeMs, ...parts }: AppParts): Server {
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
  const oauth = oauthHandler({ ...services, gate, log });
  const webhooks = webhookHandler({ ...services, gate, log });
  const site = siteApp({ services: { ...services, log, mailer }, openApi: openApiDocument(services.config) });

  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    try {
      refuseForeign(req, services.config);
      if (isUnder(req, PREFIX)) await rest(req, res);
      else if (isUnder(req, "/mcp")) await mcp(req, res);
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
  // The REST API, MCP, webhooks and the authorization server ask for a body themselves, once they want one; the pages always want it.
  server.on("checkContinue", (req, res) => {
    const asksItself = [PREFIX, "/mcp", WEBHOOKS].some((prefix) => isUnder(req, prefix));
    if (!asksItself && !isOAuthPath(req.url!.split("?")[0]!)) res.writeContinue();
    void handle(req, res);
  });
  countDays(server, gate, log);
  return server;
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
