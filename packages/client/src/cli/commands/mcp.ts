import { type Command, textIn, UsageError } from "../command.ts";
import { credentialOf } from "../credential.ts";
import { bridge } from "../mcp/bridge.ts";

export const mcp: Command = {
  name: "mcp",
  operands: "",
  about: "Run an MCP server on standard input and output, for an agent that starts this command",
  detail: "It forwards to the service, whose tools the agent gets.",
  options: {
    toolsets: {
      value: "LIST",
      about: "Toolsets to list: jobs, credits, sites, watches, webhooks, results; default: jobs, credits, sites",
    },
  },
  async run(_, values, { client: { origin }, env, store, input, out, err, signal }) {
    if (!env.BECKON_API_KEY && !(await store.read()).logins?.[origin])
      throw new UsageError(`Set BECKON_API_KEY to an API key of ${origin}, or run: beckon login ${origin}`);
    const endpoint = new URL(`${origin}/mcp`);
    const toolsets = textIn(values, "toolsets");
    if (toolsets !== undefined) endpoint.searchParams.set("toolsets", toolsets);
    const write = (line: string) => out(`${line}\n`);
    const credential = credentialOf(origin, env, store);
    await bridge({ endpoint, credential, input, signal, write, log: (line) => err(`${line}\n`) });
    return undefined;
  },
};
