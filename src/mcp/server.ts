import { McpServer, ProtocolError, ProtocolErrorCode, type ServerContext } from "@modelcontextprotocol/server";
import type { AnyOperation } from "../contract/operation.ts";
import { Refusal, toRefusal } from "../errors.ts";
import { version } from "../version.ts";
import type { McpLog, ToolCall, ToolCaller } from "./caller.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { paymentIn } from "./payment.ts";
import { askPerson, keyOf } from "./person.ts";
import { answered, refused } from "./result.ts";
import { operationOf, toolList } from "./tools.ts";

/** The list is the same for everyone and changes with a release or the settings only. */
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
  mcp.server.setRequestHandler("tools/list", async () => ({ tools: toolList(await caller.offered()) }));
  mcp.server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    const operation = operationOf(params.name);
    if (!operation) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool. See tools/list.");
    try {
      const call = decode(operation, params.arguments ?? {}, ctx);
      const answer = await caller.call(call);
      return (await askPerson(call, answer, ctx)) ?? answered(answer);
    } catch (thrown) {
      const refusal = toRefusal(thrown);
      if (refusal !== thrown) log.error({ err: thrown, tool: operation.name }, "a tool call failed");
      return refused(refusal, caller.siteUrl);
    }
  });
  return mcp;
}

/** @throws Refusal invalid_request for a key that is not text */
function decode(
  operation: AnyOperation,
  { idempotency_key: key, ...input }: Record<string, unknown>,
  ctx: ServerContext,
): ToolCall {
  if (key === undefined || typeof key === "string") {
    const payment = operation.takesPayment ? paymentIn(ctx.mcpReq._meta) : undefined;
    return { operation, input, idempotencyKey: keyOf(operation, key, ctx), payment };
  }
  throw new Refusal("invalid_request", "`idempotency_key`: must be text. Nothing was changed.", {
    issues: [{ path: "idempotency_key", message: "must be text" }],
  });
}
