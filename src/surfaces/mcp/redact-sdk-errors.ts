import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { isObject } from "./messages.ts";

/** MCP 2026-07-28: the headers of a request and its body disagree. */
const HEADER_MISMATCH = -32_020;
/** How the SDK's error for an unsupported version header begins, in the versions with `initialize`. */
const OLD_VERSION = "Bad Request: Unsupported protocol version";
/** How its error for an invalid envelope of 2026-07-28 begins; the parser's message follows. */
const ENVELOPE = "Invalid _meta envelope";
/** What its error for an Accept without JSON says. */
const NOT_ACCEPTABLE = "Client must accept";
/** The fields of that envelope. */
const META_KEYS = [PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY];

/** The response, without the parts of the request that an error of the SDK repeats, and in words that say what to send. */
export async function redactResponse(response: Response): Promise<Response> {
  if (response.status !== 400 && response.status !== 406) return response;
  const { status, headers } = response;
  return new Response(JSON.stringify(redactMessage(await response.json())), { status, headers });
}

/** Any other message is returned as it is. */
function redactMessage(message: unknown): unknown {
  if (!isObject(message) || !isObject(message.error)) return message;
  const error = redactError(message.error);
  return error ? { ...message, error } : message;
}

function redactError({ code, message, data }: Record<string, unknown>): Record<string, unknown> | null {
  if (code === ProtocolErrorCode.UnsupportedProtocolVersion)
    return { code, message: "Unsupported protocol version", data: isObject(data) ? withPlainVersion(data) : data };
  if (code === HEADER_MISMATCH)
    return {
      code,
      message: "The headers MCP-Protocol-Version, Mcp-Method and Mcp-Name are required and must match the body.",
    };
  if (String(message).startsWith(OLD_VERSION))
    return { code, message: `${OLD_VERSION} (supported versions: ${SUPPORTED_PROTOCOL_VERSIONS.join(", ")})` };
  if (String(message).includes(NOT_ACCEPTABLE))
    return { code, message: "Every answer is JSON: send `Accept: application/json`, or no Accept." };
  const envelope = isObject(data) && isObject(data.envelope) ? data.envelope : {};
  if (Array.isArray(envelope.missing))
    return { code, message: missingFrom(envelope.missing.map(String)), data: { envelope } };
  if (String(message).startsWith(ENVELOPE)) {
    const name = typeof envelope.key === "string" ? `_meta.${envelope.key}` : "_meta";
    return { code, message: `\`${name}\`: missing, or not in the form that the protocol defines.` };
  }
  return null;
}

/** @param missing `_meta` itself, or fields of it */
function missingFrom(missing: readonly string[]): string {
  if (!missing.includes("_meta")) return `\`_meta\`: needs ${missing.join(", ")}.`;
  const initialized = SUPPORTED_PROTOCOL_VERSIONS.join(", ");
  return `\`_meta\` is missing: 2026-07-28 needs ${META_KEYS.join(", ")} in it. Revisions with \`initialize\`: ${initialized}.`;
}

/** The protocol requires the version to be repeated; a text that is no version is replaced by `unknown`. */
function withPlainVersion({ requested, ...data }: Record<string, unknown>): Record<string, unknown> {
  if (requested === undefined) return data;
  return { ...data, requested: /^[\w.-]{1,32}$/.test(String(requested)) ? requested : "unknown" };
}
