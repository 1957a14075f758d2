import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import type { AnyOperation } from "../../contract/operation.ts";
import { toRefusal } from "../../platform/errors/errors.ts";
import { callTool } from "./call-tool.ts";
import type { McpLog, ToolCaller } from "./caller.ts";
import { CheckedServer } from "./checked-server.ts";
import { complete } from "./completion.ts";
import { refuseCursor } from "./cursor.ts";
import { serveEvents } from "./events/serve.ts";
import { EVENTS_CAPABILITIES } from "./events/wire.ts";
import { instructionsOf } from "./instructions.ts";
import { getPrompt, promptList } from "./prompts.ts";
import { asProtocolError } from "./protocol-error.ts";
import { listResources, notFound, readResource, TEMPLATES } from "./resources.ts";
import { serverInfo } from "./server-info.ts";
import { SKILLS, serveSkills } from "./skills.ts";
import { operationOf, toolList } from "./tools.ts";

/** These lists are the same for every client, and change only with a release or the settings. */
const CACHED = { ttlMs: 5 * 60_000, cacheScope: "public" } as const;

/** No `listChanged`: changes of lists are not announced. */
const CAPABILITIES = {
  ...{ tools: {}, resources: {}, prompts: {}, completions: {} },
  ...EVENTS_CAPABILITIES,
  extensions: { ...SKILLS, ...EVENTS_CAPABILITIES.extensions },
};

const OPTIONS = {
  cacheHints: {
    "tools/list": CACHED,
    "prompts/list": CACHED,
    "resources/templates/list": CACHED,
    "server/discover": CACHED,
  },
};

/**
 * The MCP server of one request. It handles methods instead of registering tools one by one, so that the operation's own schema
 * validates the arguments, and no schema is converted for a request that does not need it.
 */
export function createMcpServer(caller: ToolCaller, log: McpLog): Server {
  const resources = caller.subscriptions ? { subscribe: true } : {};
  const server = new CheckedServer(serverInfo(caller.siteUrl), {
    ...OPTIONS,
    instructions: instructionsOf((tool) => caller.isOffered(operationOf(tool)!)),
    capabilities: { ...CAPABILITIES, resources },
  });
  serveTools(server, caller, log);
  serveResources(server, caller, log);
  serveSkills(server);
  serveEvents(server, caller, log);
  const isOffered = (operation: AnyOperation) => caller.isOffered(operation);
  server.setRequestHandler("prompts/list", async () => ({ prompts: promptList(isOffered) }));
  server.setRequestHandler("prompts/get", async ({ params }) => getPrompt(params.name, params.arguments));
  return server;
}

function serveTools(server: Server, caller: ToolCaller, log: McpLog): void {
  const isOffered = (operation: AnyOperation) => caller.isOffered(operation);
  server.setRequestHandler("tools/list", async () => ({ tools: toolList(isOffered, caller.toolsets) }));
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    const operation = operationOf(params.name);
    if (!operation) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool. See tools/list.");
    return callTool(caller, log, { operation, args: params.arguments ?? {}, ctx });
  });
}

/** The result of a resource or a completion cannot carry a refusal, so that it is a protocol error with ours in `data`. */
function serveResources(server: Server, caller: ToolCaller, log: McpLog): void {
  const orProtocolError = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (thrown) {
      if (thrown instanceof ProtocolError) throw thrown;
      const refusal = toRefusal(thrown);
      if (refusal !== thrown) log.error({ err: thrown }, "a resource was not read");
      throw asProtocolError(refusal, caller.siteUrl);
    }
  };
  server.setRequestHandler("resources/list", async ({ params }) => {
    refuseCursor(params?.cursor);
    return { resources: await orProtocolError(listResources(caller)) };
  });
  server.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates: TEMPLATES }));
  server.setRequestHandler("resources/read", ({ params }) => orProtocolError(readResource(caller, params.uri)));
  const { subscriptions } = caller;
  if (subscriptions) {
    const changed = async (uri: string, isThere: Promise<boolean>) => {
      if (!(await orProtocolError(isThere))) throw notFound(uri);
      return {};
    };
    server.setRequestHandler("resources/subscribe", ({ params: { uri } }) =>
      changed(uri, subscriptions.subscribe(uri)),
    );
    server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) =>
      changed(uri, subscriptions.unsubscribe(uri)),
    );
  }
  server.setRequestHandler("completion/complete", ({ params }) => orProtocolError(complete(caller, params)));
}
