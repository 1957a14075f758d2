import { ProtocolErrorCode, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { isObject } from "./messages.ts";

/** MCP 2026-07-28: the headers of a request and its body disagree. */
const HEADER_MISMATCH = -32_020;
/** How the SDK begins what it answers to a version in the header, in the eras that begin with `initialize`. */
const OLD_VERSION = "Bad Request: Unsupported protocol version";
/** The same for what a request of 2026-07-28 says of itself; what follows is the parser's. */
const ENVELOPE = "Invalid _meta envelope";

/** An error of the SDK that repeats what was sent, without that; anything else as it is. */
export function reworded<T>(message: T): T {
  if (!isObject(message) || !isObject(message.error)) return message;
  const error = withoutEcho(message.error);
  return error ? { ...message, error } : message;
}

/** The same for an HTTP answer; only a 400 has such an error. */
export async function rewordedResponse(response: Response): Promise<Response> {
  if (response.status !== 400) return response;
  const { status, headers } = response;
  return new Response(JSON.stringify(reworded(await response.json())), { status, headers });
}

function withoutEcho({ code, message, data }: Record<string, unknown>): Record<string, unknown> | null {
  if (code === ProtocolErrorCode.UnsupportedProtocolVersion)
    return { code, message: "Unsupported protocol version", data: isObject(data) ? withPlainVersion(data) : data };
  if (code === HEADER_MISMATCH)
    return {
      code,
      message: "The headers MCP-Protocol-Version, Mcp-Method and Mcp-Name must be there and say what the body says.",
    };
  if (String(message).startsWith(OLD_VERSION))
    return { code, message: `${OLD_VERSION} (supported versions: ${SUPPORTED_PROTOCOL_VERSIONS.join(", ")})` };
  const envelope = isObject(data) && isObject(data.envelope) ? data.envelope : {};
  if (Array.isArray(envelope.missing))
    return { code, message: `\`_meta\`: needs ${envelope.missing.join(", ")}.`, data: { envelope } };
  if (String(message).startsWith(ENVELOPE)) {
    const name = typeof envelope.key === "string" ? `_meta.${envelope.key}` : "_meta";
    return { code, message: `\`${name}\`: missing, or not of the form that the protocol gives it.` };
  }
  return null;
}

/** The protocol wants the version repeated; what does not look like one is called as the SDK calls none. */
function withPlainVersion({ requested, ...data }: Record<string, unknown>): Record<string, unknown> {
  if (requested === undefined) return data;
  return { ...data, requested: /^[\w.-]{1,32}$/.test(String(requested)) ? requested : "unknown" };
}
