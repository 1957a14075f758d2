import type { IncomingMessage } from "node:http";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
} from "@modelcontextprotocol/server";
import { Refusal } from "../../platform/errors/errors.ts";
import { type RawToolCall, runTool, type ToolOutcome } from "./call-tool.ts";
import type { McpLog, ToolCaller } from "./caller.ts";
import { showsUrls } from "./elicitation.ts";
import { eraOf } from "./era.ts";
import { isObject } from "./messages.ts";
import { answered, answeredText, refused } from "./result.ts";
import { serverInfo } from "./server-info.ts";
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

/** The plain call in the body of an admitted request, or null where the SDK has to answer. */
export function fastPathCallIn(req: IncomingMessage, body: unknown): FastPathCall | null {
  if (!isPlain(body, MESSAGE) || body.method !== "tools/call" || !isPlain(body.params, PARAMS)) return null;
  const { id, params } = body;
  const { name, arguments: args = {}, _meta: meta = {} } = params;
  const operation = operationOf(name);
  if (!operation || operation.urlForUser || operation.takesPayment) return null;
  if (!isObject(args) || Object.hasOwn(args, "__proto__") || !isPlainMeta(meta)) return null;
  // The client may show its user the page on which the call is approved.
  if (operation.effect === "spend" && showsUrls(meta as Record<string, unknown>)) return null;
  const era = eraOf(req, body);
  if (era === null || (era === "modern" && req.headers["mcp-name"] !== name)) return null;
  // `eraOf` has checked the id.
  return { id: id as string | number, operation, args, isModern: era === "modern" };
}

/** The whole answer, as JSON text. */
export async function answerOnFastPath(call: FastPathCall, caller: ToolCaller, log: McpLog): Promise<string> {
  const outcome = await runTool(caller, log, call);
  return `{"result":${resultText(outcome, call.isModern, caller)},"jsonrpc":"2.0","id":${JSON.stringify(call.id)}}`;
}

function resultText(outcome: ToolOutcome, isModern: boolean, { siteUrl }: ToolCaller): string {
  if (!(outcome instanceof Refusal) && !outcome.answer.replayed && !outcome.answer.headers)
    return answeredText(outcome.answer, isModern ? modernText(siteUrl) : "");
  const result = outcome instanceof Refusal ? refused(outcome, siteUrl) : answered(outcome.answer);
  if (!isModern) return JSON.stringify(result);
  const { resultType, _meta } = modernFields(siteUrl);
  return JSON.stringify({ ...result, resultType, _meta: { ...result._meta, ..._meta } });
}

/** What every result has since 2026-07-28. */
function modernFields(siteUrl: string) {
  return { resultType: "complete", _meta: { [SERVER_INFO_META_KEY]: serverInfo(siteUrl) } };
}

/** By the address of the site; a process has one. */
const modernTexts = new Map<string, string>();

/** The same as JSON text, behind a comma. */
function modernText(siteUrl: string): string {
  const known = modernTexts.get(siteUrl);
  if (known !== undefined) return known;
  const text = `,${JSON.stringify(modernFields(siteUrl)).slice(1, -1)}`;
  modernTexts.set(siteUrl, text);
  return text;
}

const MESSAGE = new Set(["jsonrpc", "id", "method", "params"]);
const PARAMS = new Set(["name", "arguments", "_meta"]);
/** Fields of the envelope in `_meta`. Other fields are ignored; the reserved ones, such as progress, are not plain. */
const ENVELOPE = new Set([PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY]);
const RESERVED = /^io\.modelcontextprotocol\/|^progressToken$|^__proto__$/;

function isPlain(value: unknown, keys: ReadonlySet<string>): value is Record<string, unknown> {
  return isObject(value) && Object.keys(value).every((key) => keys.has(key));
}

function isPlainMeta(meta: unknown): boolean {
  return isObject(meta) && Object.keys(meta).every((key) => ENVELOPE.has(key) || !RESERVED.test(key));
}
