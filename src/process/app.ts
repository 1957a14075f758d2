import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { A2A } from "../../a2a/path.ts";
import { sendError } from "../../rest/errors.ts";
import { restHandler } from "../../rest/handler.ts";
import { PREFIX } from "../../rest/router.ts";
import { RequestGuard } from "../contract/authenticate.ts";
import type { Services } from "../contract/call.ts";
import { type Executor, inlineExecutor } from "../contract/executor.ts";
import { OpenStreams } from "../contract/open-streams.ts";
import type { Mailer } from "../domain/mail/mailer.ts";
import { MINUTE, SECOND } from "../platform/clock.ts";
import { lazily } from "../platform/concurrency.ts";
import { type RunEvery, runEvery } from "../platform/run-every.ts";
import { NO_TRACER, type Tracer } from "../platform/telemetry.ts";
import { OLD_PATHS, PATHS } from "../surfaces/discovery/paths.ts";
import type { InFlightResponses } from "../surfaces/http-server/in-flight.ts";
import type { Log } from "../surfaces/http-server/log.ts";
import { refuseForeignOrigin } from "../surfaces/http-server/origin.ts";
import { refuseSeveralHosts, useOriginForm } from "../surfaces/http-server/request-target.ts";
import { traceRequest } from "../surfaces/http-server/trace-request.ts";
import { isOAuthPath, oauthHandler } from "../surfaces/oauth/handler.ts";
import { WEBHOOKS, webhookHandler } from "../surfaces/payment-events/handler.ts";
import { HOOKS, hookHandler } from "../surfaces/publish-hooks/handler.ts";
import { PUSH, pushHandler } from "../surfaces/visit-push/handler.ts";
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
  /** Replaces the timers of what open streams wait for, in tests. */
  readonly every?: RunEvery;
  /** Records requests and calls; default: none is recorded. */
  readonly tracer?: Tracer;
  /** Gets every response, so that it can end them when the service stops. */
  readonly inFlight?: InFlightResponses;
}

/** How long browsers use https only after a response by https, in seconds (RFC 6797). */
const YEAR_SECONDS = 31_536_000;

/** The paths of documents that describe the service; one is below /mcp. Health is the operator's. */
const PUBLIC_FILES: ReadonlySet<string> = new Set([...Object.values(PATHS), ...Object.values(OLD_PATHS).flat()]);

/** The part of the service that answers a request, as logs, metrics and traces name it. */
type Surface = "ops" | "rest" | "mcp" | "a2a" | "oauth" | "webhooks" | "push" | "hooks" | "site";

/**
 * The whole service as one server: the REST API, MCP, A2A and the pages. The code of REST is there from the start. The
 * first request for MCP, A2A or a page loads its code, with the packages below it.
 */
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
  const rest = restHandler({ services, guard, executor, log, bodyTimeMs });
  const { every = runEvery } = options;
  const streams = new OpenStreams({ ...services, log: options.backgroundLog ?? log, every });
  const openMcp = lazily(async () => {
    const { mcpHandler } = await import("../surfaces/mcp/http.ts");
    return mcpHandler({ services, guard, executor, streams, stopping, every, log, bodyTimeMs });
  });
  const openA2a = lazily(async () => {
    const [{ a2aMethods }, { a2aHandler }] = await Promise.all([
      import("../../a2a/agent/agent.ts"),
      import("../../a2a/bindings/http.ts"),
    ]);
    const methods = a2aMethods({ services, guard, executor, streams, log }, every);
    return a2aHandler({ config: services.config, guard, methods, log, stopping, bodyTimeMs });
  });
  const openSite = lazily(async () => {
    const { site } = await import("./site.ts");
    return site({ ...services, log, mailer, guard, executor, advanceClock: options.advanceClock });
  });
  const oauth = oauthHandler({ ...services, guard, log, mailer });
  const webhooks = webhookHandler({ ...services, guard, log });
  const push = pushHandler({ ...services, guard, executor, log });
  const hooks = hookHandler({ ...services, guard, log });

  const surfaces: Readonly<Record<Surface, (req: IncomingMessage, res: ServerResponse) => Promise<void>>> = {
    ops: async (req, res) => ops[pathOf(req)]!(req, res),
    rest,
    mcp: async (req, res) => (await openMcp())(req, res),
    a2a: async (req, res) => (await openA2a())(req, res),
    oauth,
    webhooks,
    push,
    hooks,
    site: async (req, res) => (await openSite())(req, res),
  };
  const surfaceOf = (req: IncomingMessage): Surface => {
    const path = pathOf(req);
    if (Object.hasOwn(ops, path)) return "ops";
    if (PUBLIC_FILES.has(path)) return "site";
    if (isUnder(req, PREFIX)) return "rest";
    if (isUnder(req, "/mcp")) return "mcp";
    if (isUnder(req, A2A)) return "a2a";
    if (isUnder(req, WEBHOOKS)) return "webhooks";
    if (isUnder(req, PUSH)) return "push";
    if (isUnder(req, HOOKS)) return "hooks";
    return isOAuthPath(path) ? "oauth" : "site";
  };
  const answer = async (surface: Surface, req: IncomingMessage, res: ServerResponse) => {
    try {
      refuseSeveralHosts(req);
      // Load balancers and monitors address the process by any Host.
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

  const server = options.server ?? httpServer();
  configure(server);
  server.on("request", (req, res) => {
    useOriginForm(req, services.config);
    void handle(req, res);
  });
  // REST, MCP, A2A, webhooks, pushes, hooks and OAuth send 100 Continue themselves, once they have accepted the headers. Pages read any body.
  server.on("checkContinue", (req, res) => {
    useOriginForm(req, services.config);
    const sendsContinue = [PREFIX, "/mcp", A2A, WEBHOOKS, PUSH, HOOKS].some((prefix) => isUnder(req, prefix));
    if (!sendsContinue && !isOAuthPath(pathOf(req))) res.writeContinue();
    void handle(req, res);
  });
  countRequests(server, guard, options.backgroundLog ?? log);
  return server;
}

/** Largest head of a request, in bytes: an authorization request stands in the address of the sign-in page. */
const HEADER_BYTES = 32 * 1024;

/** A server that answers nothing yet. */
export function httpServer(): Server {
  return createServer({ maxHeaderSize: HEADER_BYTES });
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
