import type { Answer } from "../../contract/call.ts";
import { isHttpRefusal } from "../../contract/http-refusal.ts";
import { type AnyOperation, isOfferedBy, type Toolset } from "../../contract/operation.ts";
import type { Config } from "../../platform/config/config.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { ResourceSubscriptions, ToolCall, ToolCaller } from "./caller.ts";

export interface HttpCallerParts {
  readonly run: (call: ToolCall) => Promise<Answer>;
  readonly allows: (operation: AnyOperation) => boolean;
  /** The header of the request. */
  readonly idempotencyKey: string | undefined;
  readonly toolsets: ReadonlySet<Toolset>;
  readonly subscriptions: ResourceSubscriptions;
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

  constructor(config: Config, { run, allows, idempotencyKey, toolsets, subscriptions }: HttpCallerParts) {
    this.#config = config;
    this.#run = run;
    this.allows = allows;
    this.idempotencyKey = idempotencyKey;
    this.toolsets = toolsets;
    this.subscriptions = subscriptions;
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
