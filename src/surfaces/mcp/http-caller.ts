import type { Answer } from "../../contract/call.ts";
import { type AnyOperation, isOfferedBy } from "../../contract/operation.ts";
import type { Config } from "../../platform/config/config.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { ToolCall, ToolCaller } from "./caller.ts";

/** Refusals that are HTTP statuses (docs/rules.md rule 13). */
const AT_THE_EDGE: ReadonlySet<number> = new Set([401, 403, 429]);

/** One HTTP request's calls, and the refusal among them that has to become its status. */
export class Exchange implements ToolCaller {
  edge: Refusal | null = null;
  readonly #config: Config;
  readonly #run: (call: ToolCall) => Promise<Answer>;
  readonly allows: (operation: AnyOperation) => boolean;

  constructor(config: Config, run: (call: ToolCall) => Promise<Answer>, allows: (operation: AnyOperation) => boolean) {
    this.#config = config;
    this.#run = run;
    this.allows = allows;
  }

  get siteUrl(): string {
    return this.#config.siteUrl;
  }

  async offered() {
    return (operation: AnyOperation) => isOfferedBy(operation, this.#config);
  }

  async call(call: ToolCall): Promise<Answer> {
    try {
      return await this.#run(call);
    } catch (thrown) {
      if (thrown instanceof Refusal && AT_THE_EDGE.has(thrown.status)) this.edge = thrown;
      throw thrown;
    }
  }
}
