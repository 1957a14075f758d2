import type { IncomingMessage } from "node:http";
import type { Admission, Caller, RequestGuard } from "../../contract/authenticate.ts";
import type { Answer, Services } from "../../contract/call.ts";
import type { Executor } from "../../contract/executor.ts";
import { isHttpRefusal } from "../../contract/http-refusal.ts";
import { type AnyOperation, isOfferedBy, onlyReadsDatabase, type Toolset } from "../../contract/operation.ts";
import type { Config } from "../../platform/config/config.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { idempotencyKeyIn } from "../http-server/caller.ts";
import type { CloseSignal } from "../http-server/close-signal.ts";
import type { EventCalls, ResourceSubscriptions, ToolCall, ToolCaller } from "./caller.ts";
import { EventMethods } from "./events/calls.ts";
import { HttpSubscriptions, type SubscriptionDeps } from "./subscriptions.ts";
import { DEFAULT_TOOLSETS, toolsetsIn } from "./toolsets.ts";

/** The first version whose clients cancel a call by closing its response. */
const CANCELS_BY_CLOSING = "2026-07-28";

interface HttpCallerParts {
  readonly run: (call: ToolCall) => Promise<Answer>;
  readonly allows: (operation: AnyOperation) => boolean;
  /** The header of the request. */
  readonly idempotencyKey: string | undefined;
  readonly toolsets: ReadonlySet<Toolset>;
  readonly subscriptions: ResourceSubscriptions;
  readonly events: EventCalls | undefined;
}

/** Runs the tool calls of one HTTP request, and keeps the refusal among them that becomes its status. */
export class HttpToolCaller implements ToolCaller {
  httpRefusal: Refusal | null = null;
  readonly #config: Config;
  readonly #run: (call: ToolCall) => Promise<Answer>;
  readonly allows: (operation: AnyOperation) => boolean;
  readonly idempotencyKey: string | undefined;
  readonly toolsets: ReadonlySet<Toolset>;
  readonly subscriptions: ResourceSubscriptions;
  readonly events: EventCalls | undefined;

  constructor(config: Config, { run, allows, idempotencyKey, toolsets, subscriptions, events }: HttpCallerParts) {
    this.#config = config;
    this.#run = run;
    this.allows = allows;
    this.idempotencyKey = idempotencyKey;
    this.toolsets = toolsets;
    this.subscriptions = subscriptions;
    this.events = events;
  }

  get siteUrl(): string {
    return this.#config.siteUrl;
  }

  isOffered(operation: AnyOperation): boolean {
    return isOfferedBy(operation, this.#config);
  }

  async call(call: ToolCall): Promise<Answer> {
    try {
      return await this.#run(call);
    } catch (thrown) {
      if (thrown instanceof Refusal && isHttpRefusal(thrown)) this.httpRefusal = thrown;
      throw thrown;
    }
  }
}

/** What every call passes through. */
interface Pipeline {
  readonly services: Services;
  readonly guard: RequestGuard;
  readonly executor: Executor;
}

interface CallerParts {
  readonly request: ConstructorParameters<typeof HttpSubscriptions>[1];
  readonly subscriptions: SubscriptionDeps;
  readonly closing: CloseSignal;
}

/** Makes the runner of tool calls of an admitted request. */
export function callerFor(
  { services, guard, executor }: Pipeline,
  admission: Admission,
  req: IncomingMessage,
  { request, subscriptions, closing }: CallerParts,
): HttpToolCaller {
  const { principal, requestsToday } = admission;
  const { headers, url } = req;
  // Since 2026-07-28 a client cancels by closing the response. In older versions a closed response cancels nothing.
  const canCancel = headers["mcp-protocol-version"] === CANCELS_BY_CLOSING;
  return new HttpToolCaller(services.config, {
    // Each property by its name: a spread costs more than the rest of a simple call.
    run: async ({ operation, input, idempotencyKey, payment }) => {
      const signal = canCancel && !onlyReadsDatabase(operation) ? closing.signal : undefined;
      const audience = "agent";
      const call = {
        operation,
        input,
        idempotencyKey,
        audience,
        payment,
        principal,
        requestsToday,
        signal,
      } as const;
      try {
        return await executor.run(call);
      } catch (thrown) {
        throw guard.withChallenge(thrown, request.caller);
      }
    },
    allows: (operation) => allows(guard, operation, admission, request.caller),
    subscriptions: new HttpSubscriptions(subscriptions, request),
    events: principal ? new EventMethods(services, principal) : undefined,
    idempotencyKey: idempotencyKeyIn(req),
    toolsets: url === "/mcp" ? DEFAULT_TOOLSETS : toolsetsIn(new URLSearchParams(url!.split("?")[1]).get("toolsets")),
  });
}

function allows(guard: RequestGuard, operation: AnyOperation, admission: Admission, caller: Caller): boolean {
  try {
    guard.authorize(operation, admission, caller);
    return true;
  } catch (thrown) {
    if (thrown instanceof Refusal) return false;
    throw thrown;
  }
}
