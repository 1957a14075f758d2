import { McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { Refusal, toRefusal } from "../errors.ts";
import { version } from "../version.ts";
import type { McpLog, ToolCall, ToolCaller } from "./caller.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { answered, refused } from "./result.ts";
import { operationOf, toolList } from "./tools.ts";

/** The list is the same for everyone and changes with a release only. */
const CACHED = { ttlMs: 5 * 60_000, cacheScope: "public" } as const;

/**
 * A protocol server over one caller: a request of HTTP, or a connection of stdio. The two tool methods are set
 * on the server itself, not tool by tool, so that the operation's own rules decide on the arguments, and
 * nothing is converted for a request that does not ask for it.
 */
export function createMcpServer(caller: ToolCaller, log: McpLog): McpServer {
  const mcp = new McpServer(
    { name: "beckon", title: "Beckon", version },
    { instructions: INSTRUCTIONS, cacheHints: { "tools/list": CACHED, "server/discover": CACHED } },
  );
  mcp.server.registerCapabilities({ tools: {} });
  mcp.server.setRequestHandler("tools/list", () => ({ tools: toolList() }));
  mcp.server.setRequestHandler("tools/call", async ({ params }) => {
    const operation = operationOf(params.name);
    if (!operation) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool. See tools/list.");
    try {
      return answered(await caller.call({ operation, ...decode(params.arguments ?? {}) }));
    } catch (thrown) {
      const refusal = toRefusal(thrown);
      if (refusal !== thrown) log.error({ err: thrown, tool: operation.name }, "a tool call failed");
      return refused(refusal, caller.siteUrl);
    }
  });
  return mcp;
}

/** @throws Refusal invalid_request for a key that is not text */
function decode({ idempotency_key: key, ...input }: Record<string, unknown>): Omit<ToolCall, "operation"> {
  if (key === undefined || typeof key === "string") return { input, idempotencyKey: key };
  throw new Refusal("invalid_request", "`idempotency_key`: must be text. Nothing was changed.", {
    issues: [{ path: "idempotency_key", message: "must be text" }],
  });
}
