import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { a2aMethods } from "../../a2a/agent/agent.ts";
import { A2A, a2aHandler } from "../../a2a/bindings/http.ts";
import { agentCards } from "../../a2a/card/variants.ts";
import { sendError } from "../../rest/errors.ts";
import { FastPath } from "../../rest/fast-path.ts";
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
import { refuseSeveralHosts, useOriginForm } from "../surfaces/http-server/request-target.ts";
import { traceRequest } from "../surfaces/http-server/trace-request.ts";
import { mcpHandler } from "../surfaces/mcp/http.ts";
import { serverCard } from "../surfaces/mcp/server-card.ts";
import { isOAuthPath, oauthHandler } from "../surfaces/oauth/handler.ts";
import { WEBHOOKS, webhookHandler } from "../surfaces/payment-events/handler.ts";
import { websiteApp } from "../surfaces/website/app.tsx";
import { healthHandlers, type OpsHandler } from "./health/handler.ts";
import { ReadinessProbe } from "./health/readiness.ts";
import { tracedExecutor } from "./tracing/traced.ts";

export interface AppOptions extends Services {
  readonly log: Log;
  /** For errors that belong to no request; default: `log`. */
  readonly backgroundLog?: Log;
  readonly mailer: Mailer;
  /** Default: every call runs on this thread. */
  readonly executor?: Executor;
  /** Given by a caller that flushes its counts when the process stops. */
  readonly guard?: RequestGuard;
  /** Given by a caller that has to know the port first; default: a new server. */
  readonly server?: Server;
  /** How long a client may take over a body, in ms. */
  readonly bodyTimeMs?: number;
  /** Aborted when the service stops, so that open streams end. */
  readonly stopping?: AbortSignal;
  /** Endpoints for the operator (health, metrics), by path; default: health only. */
  readonly ops?: Readonly<Record<string, OpsHandler>>;
  /** Moves the service clock forward; only in a sandbox. */
  readonly advanceClock?: ((serviceAt: number) => Promise<void>) | undefined;
  /** Records requests and calls; default: none is recorded. */
  readonly tracer?: Tracer;
  /** Gets every response, so that it can end them when the service stops. */
  readonly inFlight?: InFlightResponses;
}

/** How long browsers use https only after a response by https, in seconds (RFC 6797). */
const YEAR_SECONDS = 31_536_000;

/** The part of the service that answers a request, as logs, metrics and traces name it. */
type Surface = "ops" | "rest" | "mcp" | "a2a" | "oauth" | "webhooks" | "site";

/** The whole service as one server: the REST API, MCP, A2A and the pages. */
export function createApp({ log, mailer, bodyTimeMs, stopping, ...options }: AppOptions): Server {
  const services: Services = {
    db: options.db,
    clock: options.clock,
    config: options.config,
    http: options.http,
    payments: options.payments,
  };
  const guard = options.guard ?? new RequestGuard(services.db, services.clock, services.config);
  const { tracer = NO_TRACER, inFlight, ops = healthHandlers(new ReadinessProbe(services.db)) } = options;
  const executor = tracedExecutor(options.executor ?? inlineExecutor(services), tracer);
  const isHttps = services.config.siteUrl.startsWith("https:");
  const everywhere = isHttps ? { "Strict-Transport-Security": `max-age=${YEAR_SECONDS}` } : {};
  const fastPath = new FastPath({ services, guard, log, tracer }, everywhere);
  const rest = restHandler({ services, guard, executor, log, bodyTimeMs, fastPath });
  const mcp = mcpHandler({ services, guard, executor, log, bodyTimeMs });
  const methods = a2aMethods({ services, guard, executor, log });
  const a2a = a2aHandler({ config: services.config, guard, methods, log, stopping, bodyTimeMs });
  const oauth = oauthHandler({ ...services, guard, log, mailer });
  const webhooks = webhookHandler({ ...services, guard, log });
  const files = publicFiles(services.config);
  const addresses = new Set(files.flatMap(({ path, aliases = [] }) => [path, ...aliases]));
  const { advanceClock } = options;
  const site = websiteApp({
    services: { ...services, log, mailer, guard, executor, advanceClock },
    files,
    links: FRONT_PAGE_LINKS,
  });

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
      // Load balancers and monitors address the process by any Host.
      refuseSeveralHosts(req);
      if (surface !== "ops") refuseForeignOrigin(req, services.config);
      await surfaces[surface](req, res);
    } catch (thrown) {
      sendError(req, res, thrown, { siteUrl: services.config.siteUrl, log, headers: {} });
    }
  };
  const handle = (req: IncomingMessage, res: ServerResponse) => {
    inFlight?.add(res);
    for (const [name, value] of Object.entries(everywhere)) res.setHeader(name, value);
    const surface = surfaceOf(req);
    return traceRequest(req, res, { tracer, log, surface }, () => answer(surface, req, res));
  };

  const server = options.server ?? createServer();
  configure(server);
  server.on("request", (req, res) => {
    useOriginForm(req, services.config);
    if (inFlight?.isEnding || !fastPath.answer(req, res)) void handle(req, res);
  });
  // REST, MCP, A2A, webhooks and OAuth send 100 Continue themselves, once they have accepted the headers. Pages read any body.
  server.on("checkContinue", (req, res) => {
    useOriginForm(req, services.config);
    const sendsContinue = [PREFIX, "/mcp", A2A, WEBHOOKS].some((prefix) => isUnder(req, prefix));
    if (!sendsContinue && !isOAuthPath(pathOf(req))) res.writeContinue();
    void handle(req, res);
  });
  countRequests(server, guard, options.backgroundLog ?? log);
  return server;
}

/** The discovery documents; only this file knows every surface that they describe. */
function publicFiles(config: AppOptions["config"]): readonly PublicFile[] {
  return discoveryFiles({
    config,
    documents: documentsOf(config),
    openApi: openApiDocument(config),
    serverCard: serverCard(config),
    agentCard: agentCards(config),
  });
}

/** Timeouts against slow clients; a body has its own (http-server/body.ts). */
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

/** Writes the counts of requests to the database every second, until the server closes. */
function countRequests(server: Server, guard: RequestGuard, log: Log): void {
  let isRunning = false;
  let hasFailed = false;
  const flush = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await guard.flushDue();
      hasFailed = false;
    } catch (err) {
      // Logged once for each outage.
      if (!hasFailed) log.error({ err }, "the counts of requests could not be written; retrying every second");
      hasFailed = true;
    }
    isRunning = false;
  };
  const timer = setInterval(() => void flush(), SECOND);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}
