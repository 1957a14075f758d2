import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { a2aMethods } from "../../a2a/agent/agent.ts";
import { A2A, a2aHandler } from "../../a2a/bindings/http.ts";
import { agentCards } from "../../a2a/card/variants.ts";
import { sendError } from "../../rest/errors.ts";
import { restHandler } from "../../rest/handler.ts";
import { openApiDocument } from "../../rest/openapi.ts";
import { PREFIX } from "../../rest/router.ts";
import { RequestGuard } from "../contract/authenticate.ts";
import type { Services } from "../contract/call.ts";
import { type Executor, inlineExecutor } from "../contract/executor.ts";
import type { Mailer } from "../domain/mail/mailer.ts";
import { MINUTE, SECOND } from "../platform/clock.ts";
import { NO_TRACER, type Tracer } from "../platform/telemetry.ts";
import { discoveryFiles, FRONT_PAGE_LINKS, type PublicFile } from "../surfaces/discovery/index.ts";
import { documentsOf } from "../surfaces/docs/index.ts";
import type { InFlightResponses } from "../surfaces/http-server/in-flight.ts";
import type { Log } from "../surfaces/http-server/log.ts";
import { refuseForeignOrigin } from "../surfaces/http-server/origin.ts";
import { traceRequest } from "../surfaces/http-server/trace-request.ts";
import { mcpHandler } from "../surfaces/mcp/http.ts";
import { serverCard } from "../surfaces/mcp/server-card.ts";
import { isOAuthPath, oauthHandler } from "../surfaces/oauth/handler.ts";
import { WEBHOOKS, webhookHandler } from "../surfaces/webhooks/handler.ts";
import { websiteApp } from "../surfaces/website/app.ts";
import { healthHandlers, type OpsHandler } from "./health/handler.ts";
import { ReadinessProbe } from "./health/readiness.ts";
import { tracedExecutor } from "./tracing/traced.ts";

export interface AppOptions extends Services {
  readonly log: Log;
  readonly mailer: Mailer;
  /** Default: every call runs on this thread. */
  readonly executor?: Executor;
  /** Given by who wants to write its counts when the process stops. */
  readonly guard?: RequestGuard;
  /** Given by who has to know the port before the app. */
  readonly server?: Server;
  /** How long a client may take over a body, in ms. */
  readonly bodyTimeMs?: number;
  /** Aborted when the service stops: streams that are open end then. */
  readonly stopping?: AbortSignal;
  /** What whoever runs it asks it for, by path; default: its health. */
  readonly ops?: Readonly<Record<string, OpsHandler>>;
  /** Records requests and calls; default: none is recorded. */
  readonly tracer?: Tracer;
  /** Told of every answer that is begun. */
  readonly inFlight?: InFlightResponses;
}

/** Which part of the service answers: a name in logs, metrics and traces. */
type Surface = "ops" | "rest" | "mcp" | "a2a" | "oauth" | "webhooks" | "site";

/** The whole service as one server: the REST API, MCP, A2A and the pages. */
export function createApp({ log, mailer, bodyTimeMs, stopping, ...parts }: AppOptions): Server {
  const services: Services = {
    db: parts.db,
    clock: parts.clock,
    config: parts.config,
    http: parts.http,
    payments: parts.payments,
  };
  const guard = parts.guard ?? new RequestGuard(services.db, services.clock, services.config);
  const { tracer = NO_TRACER, inFlight, ops = healthHandlers(new ReadinessProbe(services.db)) } = parts;
  const executor = tracedExecutor(parts.executor ?? inlineExecutor(services), tracer);
  const rest = restHandler({ services, guard, executor, log, bodyTimeMs });
  const mcp = mcpHandler({ services, guard, executor, log, bodyTimeMs });
  const methods = a2aMethods({ services, guard, executor, log });
  const a2a = a2aHandler({ config: services.config, guard, methods, log, stopping, bodyTimeMs });
  const oauth = oauthHandler({ ...services, guard, log });
  const webhooks = webhookHandler({ ...services, guard, log });
  const files = publicFiles(services.config);
  const addresses = new Set(files.flatMap(({ path, aliases = [] }) => [path, ...aliases]));
  const site = websiteApp({ services: { ...services, log, mailer }, files, links: FRONT_PAGE_LINKS });

  const surfaces: Readonly<Record<Surface, (req: IncomingMessage, res: ServerResponse) => unknown>> = {
    ops: (req, res) => ops[pathOf(req)]!(req, res),
    rest,
    mcp,
    a2a,
    oauth,
    webhooks,
    site,
  };
  const surfaceOf = (req: IncomingMessage): Surface => {
    const path = pathOf(req);
    if (Object.hasOwn(ops, path)) return "ops";
    if (addresses.has(path)) return "site";
    if (isUnder(req, PREFIX)) return "rest";
    if (isUnder(req, "/mcp")) return "mcp";
    if (isUnder(req, A2A)) return "a2a";
    if (isUnder(req, WEBHOOKS)) return "webhooks";
    return isOAuthPath(path) ? "oauth" : "site";
  };
  const answer = async (surface: Surface, req: IncomingMessage, res: ServerResponse) => {
    try {
      // Whoever probes this process names it as it pleases.
      if (surface !== "ops") refuseForeignOrigin(req, services.config);
      await surfaces[surface](req, res);
    } catch (thrown) {
      sendError(req, res, thrown, { siteUrl: services.config.siteUrl, log, headers: {} });
    }
  };
  const handle = (req: IncomingMessage, res: ServerResponse) => {
    inFlight?.add(res);
    const surface = surfaceOf(req);
    return traceRequest(req, res, { tracer, log, surface }, () => answer(surface, req, res));
  };

  const server = parts.server ?? createServer();
  configure(server);
  server.on("request", (req, res) => void handle(req, res));
  // The REST API, MCP, A2A, webhooks and the authorization server ask for a body themselves, once they want one; the pages always want it.
  server.on("checkContinue", (req, res) => {
    const asksItself = [PREFIX, "/mcp", A2A, WEBHOOKS].some((prefix) => isUnder(req, prefix));
    if (!asksItself && !isOAuthPath(pathOf(req))) res.writeContinue();
    void handle(req, res);
  });
  countRequests(server, guard, log);
  return server;
}

/** What a machine finds the service by; this file alone knows all that is described. */
function publicFiles(config: AppOptions["config"]): readonly PublicFile[] {
  return discoveryFiles({
    config,
    documents: documentsOf(config),
    openApi: openApiDocument(config),
    serverCard: serverCard(config),
    agentCard: agentCards(config),
  });
}

/** Headers come at once, a body within its own time (http-server/body.ts), and an idle connection is not kept for long. */
function configure(server: Server): void {
  server.headersTimeout = 15 * SECOND;
  server.requestTimeout = 3 * MINUTE;
  server.keepAliveTimeout = 65 * SECOND;
}

function pathOf(req: IncomingMessage): string {
  return req.url!.split("?")[0]!;
}

function isUnder(req: IncomingMessage, prefix: string): boolean {
  return req.url === prefix || (req.url!.startsWith(prefix) && "/?".includes(req.url![prefix.length]!));
}

/** Writes the requests counted once a second, as long as the server listens. */
function countRequests(server: Server, guard: RequestGuard, log: Log): void {
  let isRunning = false;
  let hasFailed = false;
  const flush = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await guard.flush();
      hasFailed = false;
    } catch (err) {
      // Said once, however long it lasts.
      if (!hasFailed) log.error({ err }, "what was counted is not written; it is tried again every second");
      hasFailed = true;
    }
    isRunning = false;
  };
  const timer = setInterval(() => void flush(), SECOND);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}
