import { JSON_BOUNDS } from "../../../../platform/body-limits.ts";
import { parseJsonText } from "../../../../platform/json/json-reader.ts";
import { NotAccepted } from "./not-accepted.ts";

/** The longest text of a payment, in characters: the most that a header of this service can hold. */
const MOST = 16_384;

const ALPHABETS = {
  base64: /^[A-Za-z0-9+/]+={0,2}$/,
  base64url: /^[A-Za-z0-9_-]+={0,2}$/,
} as const;

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The JSON object in a base64 text.
 * @throws NotAccepted malformed
 */
export function decodeObject(text: string, encoding: keyof typeof ALPHABETS): JsonObject {
  if (text.length > MOST || !ALPHABETS[encoding].test(text)) throw new NotAccepted("malformed");
  return asObject(parse(Buffer.from(text, encoding)));
}

/** @throws NotAccepted malformed */
export function asObject(value: unknown): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new NotAccepted("malformed");
}

function parse(bytes: Buffer): unknown {
  try {
    return parseJsonText(new TextDecoder("utf-8", { fatal: true }).decode(bytes), JSON_BOUNDS, member);
  } catch {
    throw new NotAccepted("malformed");
  }
}

/** A field as it counts: null is as absent, and no honest payment has `__proto__`. */
function member(key: string, value: unknown): unknown {
  if (key === "__proto__") throw new NotAccepted("malformed");
  return value ?? undefined;
}
