import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  specTypeSchemas,
} from "@modelcontextprotocol/server";

type Handler = (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;

/**
 * A server that validates requests before the SDK parses them. For invalid parameters the SDK answers -32603 with its
 * parser's whole message, where JSON-RPC 2.0 section 5.1 has -32602.
 */
export class CheckedServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const handle = super._wrapHandler(method, handler);
    return async (request, ctx) => {
      refuseMalformed(request);
      return handle(request, ctx);
    };
  }
}

const REQUEST_SCHEMAS = {
  initialize: specTypeSchemas.InitializeRequest,
  ping: specTypeSchemas.PingRequest,
  "tools/list": specTypeSchemas.ListToolsRequest,
  "tools/call": specTypeSchemas.CallToolRequest,
  "resources/list": specTypeSchemas.ListResourcesRequest,
  "resources/templates/list": specTypeSchemas.ListResourceTemplatesRequest,
  "resources/read": specTypeSchemas.ReadResourceRequest,
  "resources/subscribe": specTypeSchemas.SubscribeRequest,
  "resources/unsubscribe": specTypeSchemas.UnsubscribeRequest,
  "prompts/list": specTypeSchemas.ListPromptsRequest,
  "prompts/get": specTypeSchemas.GetPromptRequest,
  "completion/complete": specTypeSchemas.CompleteRequest,
  "server/discover": specTypeSchemas.DiscoverRequest,
};

/** @throws ProtocolError that names the first invalid field, never its value */
function refuseMalformed(request: JSONRPCRequest): void {
  const shape = REQUEST_SCHEMAS[request.method as keyof typeof REQUEST_SCHEMAS];
  const result = shape?.["~standard"].validate(request);
  const issue = result?.issues?.[0];
  if (!issue) return;
  const path = (issue.path ?? []).map((part) => (typeof part === "object" ? part.key : part));
  const what = valueAt(request, path) === undefined ? "required" : "not in the form that the protocol defines";
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `\`${nameOf(path)}\`: ${what}.`);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, part) => (inner as Record<PropertyKey, unknown> | undefined)?.[part], value);
}

/** The path of a field below `params`, cut before a name that the client has chosen and that is no plain word. */
function nameOf([params, ...inner]: readonly PropertyKey[]): string {
  const odd = inner.findIndex((part) => !/^\w{1,64}$/.test(String(part)));
  const plain = odd === -1 ? inner : inner.slice(0, odd);
  return (plain.length === 0 ? [params] : plain).map(String).join(".");
}
