import { requestOf } from "../../../contract/example.ts";
import { EXAMPLE_RESPONSES } from "../../../contract/example-responses.ts";
import { type AnyOperation, isOn } from "../../../contract/operation.ts";
import type { ExampleCall } from "../document.ts";
import { pythonExample } from "./python-example.ts";

/** The example of an operation, on a deployment. */
interface Call {
  readonly operation: AnyOperation;
  readonly siteUrl: string;
}

/** The example by every protocol that offers the operation. */
export function exampleCalls(call: Call): readonly ExampleCall[] {
  const { operation } = call;
  const calls: ExampleCall[] = [
    { id: "curl", title: "curl", language: "sh", code: curlExample(call) },
    { id: "javascript", title: "JavaScript", language: "js", code: javascriptExample(call) },
    { id: "python", title: "Python", language: "python", code: pythonOf(call) },
  ];
  if (isOn(operation, "mcp"))
    calls.push({ id: "mcp", title: "MCP", introduction: MCP, language: "json", code: indented(mcpExample(call)) });
  if (isOn(operation, "a2a"))
    calls.push({ id: "a2a", title: "A2A", introduction: A2A, language: "json", code: indented(a2aExample(call)) });
  return calls;
}

const MCP = "A message to `/mcp`:";

const A2A = `A JSON-RPC request to \`/a2a\`, with the header \`A2A-Version: 1.0\`. Give every message its own \`messageId\`: a message
that is sent twice is executed once.`;

function indented(message: object): string {
  return JSON.stringify(message, null, 2);
}

/** A curl command, for a shell in which BECKON_API_KEY is set. */
function curlExample({ operation, siteUrl }: Call): string {
  const { path, body } = requestOf(operation);
  const status = operation.rest.status === 402 ? "-i " : "";
  const { method } = operation.rest;
  // curl takes a GET, or with a body a POST, without being told.
  const flag = method === "DELETE" || method === "PATCH" ? `-X ${method} ` : "";
  return [
    `curl ${status}${flag}${quoted(`${siteUrl}/api/v1${path}`)}`,
    ...(needsKey(operation) ? [`-H "Authorization: Bearer $BECKON_API_KEY"`] : []),
    ...(body ? [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body)}'`] : []),
  ].join(" \\\n  ");
}

/** A module for Node.js 20 or newer. */
function javascriptExample({ operation, siteUrl }: Call): string {
  const { path, body } = requestOf(operation);
  const headers = [
    ...(needsKey(operation) ? [`    Authorization: \`Bearer \${process.env.BECKON_API_KEY}\`,`] : []),
    ...(body ? [`    "Content-Type": "application/json",`] : []),
  ];
  const options = [
    ...(operation.rest.method === "GET" ? [] : [`  method: "${operation.rest.method}",`]),
    ...(headers.length > 0 ? ["  headers: {", ...headers, "  },"] : []),
    ...(body ? [`  body: JSON.stringify(${JSON.stringify(body)}),`] : []),
  ];
  const address = JSON.stringify(`${siteUrl}/api/v1${path}`);
  const call = options.length > 0 ? [`fetch(${address}, {`, ...options, "});"] : [`fetch(${address});`];
  return [`const response = await ${call.join("\n")}`, "console.log(response.status, await response.json());"].join(
    "\n",
  );
}

function pythonOf({ operation, siteUrl }: Call): string {
  const { path, body } = requestOf(operation);
  return pythonExample({
    url: `${siteUrl}/api/v1${path}`,
    body,
    method: operation.rest.method,
    needsKey: needsKey(operation),
    isError: EXAMPLE_RESPONSES[operation.name]!.status >= 400,
  });
}

/** The JSON-RPC message to `/mcp`. */
function mcpExample({ operation }: Call): object {
  const { name, example } = operation;
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: example } };
}

/** The JSON-RPC request to `/a2a`, to be sent with the header `A2A-Version: 1.0`. */
function a2aExample({ operation }: Call): object {
  const { name, example } = operation;
  const message = {
    messageId: "put-a-new-id-here",
    role: "ROLE_USER",
    parts: [{ data: { skill: name, input: example } }],
  };
  return { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
}

/** Public operations are shown without a key. */
function needsKey({ access }: AnyOperation): boolean {
  return access.kind !== "public";
}

/** Quotes an address with `?` or `&`, which mean something to a shell. */
function quoted(address: string): string {
  return /[?&]/.test(address) ? `"${address}"` : address;
}
