import type { IncomingMessage } from "node:http";
import { classifyInboundRequest, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { isObject } from "./messages.ts";

/** The versions that begin with `initialize`, or 2026-07-28. */
export type Era = "legacy" | "modern";

const MODERN = "2026-07-28";

/** How many answers of the SDK are kept, and of how long a message at most: in characters, without its arguments. */
const MOST = { kept: 500, length: 1_000 };

/** What the SDK has said of requests, by what it reads of them. */
const kept = new Map<string, Era | null>();

/**
 * The era of the protocol that a plain request belongs to, by its headers and its body; null where the SDK has to tell.
 *
 * The SDK's classification checks the message by schemas, which costs CPU in every call. A client's messages differ only in
 * their ids and arguments, so the era of a client is found once.
 */
export function eraOf(req: IncomingMessage, body: Record<string, unknown>): Era | null {
  if (!isPlainRequest(req) || !isRequestId(body.id)) return null;
  const { "mcp-protocol-version": version, "mcp-method": method } = req.headers;
  const meta = isObject(body.params) ? body.params._meta : undefined;
  // Of an object, since what is absent differs from null.
  const read = JSON.stringify({ version, method, jsonrpc: body.jsonrpc, called: body.method, meta });
  const known = kept.get(read);
  if (known !== undefined) return known;
  const era = classify(req, body);
  if (kept.size >= MOST.kept) kept.clear();
  if (read.length <= MOST.length) kept.set(read, era);
  return era;
}

/** As `eraOf`, for any request that is no batch. */
export function classify(req: IncomingMessage, body: Record<string, unknown>): Era | null {
  const { headers } = req;
  const route = classifyInboundRequest(Object.assign(protocolHeaders(req), { httpMethod: "POST", body }));
  if (route.kind === "legacy") return route.reason === "no-claim" && isLegacyVersion(req) ? "legacy" : null;
  if (route.kind !== "modern" || route.messageKind !== "request") return null;
  const isNamed = headers["mcp-protocol-version"] === MODERN && headers["mcp-method"] === body.method;
  return isNamed && route.classification.revision === MODERN ? "modern" : null;
}

/** What the protocol takes as the id of a request. */
function isRequestId(id: unknown): boolean {
  return typeof id === "string" || Number.isSafeInteger(id);
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

/** The headers that repeat fields of the message, which the SDK classifies by. */
function protocolHeaders({ headers }: IncomingMessage) {
  const named: { protocolVersionHeader?: string; mcpMethodHeader?: string } = {};
  const { "mcp-protocol-version": version, "mcp-method": method } = headers;
  if (typeof version === "string") named.protocolVersionHeader = version;
  if (typeof method === "string") named.mcpMethodHeader = method;
  return named;
}
