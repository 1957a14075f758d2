import type { Answer } from "../contract/call.ts";
import { Refusal } from "../errors.ts";
import type { ToolCall, ToolCaller } from "./caller.ts";

/** Refusals that are HTTP statuses (decisions.md rule 13). */
const AT_THE_EDGE: ReadonlySet<number> = new Set([401, 403, 429]);

/** One HTTP request's calls, and the refusal among them that has to become its status. */
export class Exchange implements ToolCaller {
  readonly siteUrl: string;
  edge: Refusal | null = null;
  readonly #run: (call: ToolCall) => Promise<Answer>;

  constructor(siteUrl: string, run: (call: ToolCall) => Promise<Answer>) {
    this.siteUrl = siteUrl;
    this.#run = run;
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
