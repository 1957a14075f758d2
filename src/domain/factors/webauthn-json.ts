import type { AuthenticatorTransport } from "@simplewebauthn/server";
import { JSON_BOUNDS } from "../../platform/body-limits.ts";
import { parseJsonText } from "../../platform/json/json-reader.ts";

/** The credential that a browser sent as JSON text; null when it is no object. */
export function jsonObjectIn(text: string): object | null {
  try {
    const value: unknown = parseJsonText(text, JSON_BOUNDS);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * The challenge that a response says it answers; null when it says none, or was made in a frame on a page of another site,
 * where our pages never stand (WebAuthn level 3 sections 7.1 and 7.2, `crossOrigin` and `topOrigin`). Nothing else is
 * verified here.
 */
export function challengeOf(response: object | null): string | null {
  const clientData = (response as { response?: { clientDataJSON?: unknown } } | null)?.response?.clientDataJSON;
  if (typeof clientData !== "string") return null;
  const parsed = jsonObjectIn(Buffer.from(clientData, "base64url").toString("utf8"));
  const { challenge, crossOrigin, topOrigin } = (parsed ?? {}) as Readonly<Record<string, unknown>>;
  if (crossOrigin === true || topOrigin !== undefined) return null;
  return typeof challenge === "string" && /^[\w-]{1,200}$/.test(challenge) ? challenge : null;
}

const TRANSPORTS = ["ble", "hybrid", "internal", "nfc", "usb"] as const;

/** The transports that are known, of a list or of space-separated words. */
export function transportsIn(words: unknown): AuthenticatorTransport[] {
  const list: readonly unknown[] = typeof words === "string" ? words.split(" ") : Array.isArray(words) ? words : [];
  return TRANSPORTS.filter((transport) => list.includes(transport));
}

/** The user handle of a person in base64url: its id, which is random and says nothing about anybody. */
export function userHandleOf(personId: string): string {
  return Buffer.from(personId).toString("base64url");
}
