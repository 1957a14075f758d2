import type { IncomingMessage } from "node:http";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { callTool, type RawToolCall } from "./call-tool.ts";
import type { McpLog, ToolCaller } from "./caller.ts";
import { showsUrls } from "./elicitation.ts";
import { isObject } from "./messages.ts";
import { serverInfo } from "./server-info.ts";
import type { ListRequest } from "./tool-lists.ts";
import { operationOf } from "./tools.ts";

/**
 * Nearly every message is one plain call of a tool. It is answered without a server of the SDK, which would cost several
 * times the call itself, and the answer is the SDK's to the byte: test/differential/mcp-fast-path.test.ts holds the two
 * equal. Anything that is not plain goes to the SDK, above all what is an error of the protocol.
 */
export interface FastPathCall extends RawToolCall {
  readonly id: string | number;
  readonly isModern: boolean;
}

const MODERN = "2026-07-28";

/** The plain call in the body of an admitted request, or null where the SDK has to answer. */
export function fastPathCallIn(req: IncomingMessage, body: unknown): FastPathCall | null {
  if (!isPlain(body, MESSAGE) || body.method !== "tools/call" || !isPlain(body.params, PARAMS)) return null;
  const { id, params } = body;
  const { name, arguments: args = {}, _meta: meta = {} } = params;
  const operation = operationOf(name);
  if (!operation || operation.urlForUser || operation.takesPayment) return null;
  if (!isObject(args) || Object.hasOwn(args, "__proto__") || !isPlainMeta(meta)) return null;
  // Its user may be shown the page on which the call is approved.
  if (operation.effect === "spend" && showsUrls(meta as Record<string, unknown>)) return null;
  const era = eraOf(req, body);
  if (era === null || (era === "modern" && req.headers["mcp-name"] !== name)) return null;
  // The SDK's classification has checked the id.
  return { id: id as string | number, operation, args, isModern: era === "modern" };
}

/** The plain request for the list of tools of the default toolsets in the body of an admitted request, or null. */
export function listRequestIn(req: IncomingMessage, body: unknown): ListRequest | null {
  if (!isPlain(body, MESSAGE) || body.method !== "tools/list" || req.url !== "/mcp") return null;
  const { id, params = {} } = body;
  if (!isPlain(params, ONLY_META) || !isPlainMeta(params._meta ?? {})) return null;
  if (eraOf(req, body) === null || req.headers["mcp-name"] !== undefined) return null;
  return { id: id as string | number, version: String(req.headers["mcp-protocol-version"]) };
}

/** The era of the protocol that a plain request belongs to, by its headers and its body; null where the SDK has to tell. */
function eraOf(req: IncomingMessage, body: Record<string, unknown>): "legacy" | "modern" | null {
  if (!isPlainRequest(req)) return null;
  const { headers } = req;
  const route = classifyInboundRequest(Object.assign(protocolHeaders(req), { httpMethod: "POST", body }));
  if (route.kind === "legacy") return route.reason === "no-claim" && isLegacyVersion(req) ? "legacy" : null;
  if (route.kind !== "modern" || route.messageKind !== "request") return null;
  const isNamed = headers["mcp-protocol-version"] === MODERN && headers["mcp-method"] === body.method;
  return isNamed && route.classification.revision === MODERN ? "modern" : null;
}

/** The whole answer, as JSON text. */
export async function answerOnFastPath(call: FastPathCall, caller: ToolCaller, log: McpLog): Promise<string> {
  const { id, isModern } = call;
  const result = await callTool(caller, log, call);
  return JSON.stringify({ result: isModern ? modernResult(result, caller) : result, jsonrpc: "2.0", id });
}

function modernResult(result: Awaited<ReturnType<typeof callTool>>, { siteUrl }: ToolCaller) {
  const meta = { ...result._meta, [SERVER_INFO_META_KEY]: serverInfo(siteUrl) };
  return { ...result, resultType: "complete", _meta: meta };
}

const MESSAGE = new Set(["jsonrpc", "id", "method", "params"]);
const PARAMS = new Set(["name", "arguments", "_meta"]);
const ONLY_META = new Set(["_meta"]);
/** Fields of the envelope in `_meta`. Other fields are ignored; the reserved ones, such as progress, are not plain. */
const ENVELOPE = new Set([PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY]);
const RESERVED = /^io\.modelcontextprotocol\/|^progressToken$|^__proto__$/;

function isPlain(value: unknown, keys: ReadonlySet<string>): value is Record<string, unknown> {
  return isObject(value) && Object.keys(value).every((key) => keys.has(key));
}

function isPlainMeta(meta: unknown): boolean {
  return isObject(meta) && Object.keys(meta).every((key) => ENVELOPE.has(key) || !RESERVED.test(key));
}

const PLAIN_TYPE = /^application\/json(; ?charset=utf-8)?$/i;
const PLAIN_URL = /^\/mcp(\?toolsets=[a-z,]*)?$/;
const PLAIN_HOST = /^[a-z0-9.-]+(:\d{1,4}|:[1-5]\d{4})?$/i;

function isPlainRequest({ headers, url }: IncomingMessage): boolean {
  const { accept = "", host = "" } = headers;
  const takesBoth = accept.includes("application/json") && accept.includes("text/event-stream");
  return takesBoth && PLAIN_TYPE.test(headers["content-type"] ?? "") && PLAIN_HOST.test(host) && PLAIN_URL.test(url!);
}

/** Whether the header names a version that begins with `initialize`, or is absent. */
function isLegacyVersion({ headers }: IncomingMessage): boolean {
  const version = headers["mcp-protocol-version"];
  return version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version as string);
}

/** The headers that repeat fields of the message. */
function protocolHeaders({ headers }: IncomingMessage) {
  const named: { protocolVersionHeader?: string; mcpMethodHeader?: string; mcpNameHeader?: string } = {};
  const { "mcp-protocol-version": version, "mcp-method": method, "mcp-name": name } = headers;
  if (typeof version === "string") named.protocolVersionHeader = version;
  if (typeof method === "string") named.mcpMethodHeader = method;
  if (typeof name === "string") named.mcpNameHeader = name;
  return named;
}
