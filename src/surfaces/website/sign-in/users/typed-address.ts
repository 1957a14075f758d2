import { MINUTE } from "../../../../platform/clock.ts";
import type { PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { readCookie, setCookie } from "../../shell/session-cookie.ts";
import { normaliseEmail } from "../domain.ts";

/** How long the page after a form names the address that was typed in it, in ms. */
const SHOWN = 15 * MINUTE;

/**
 * Remembers in the browser which address was typed, for the page after the form. The address of that page would do, too, but stands in
 * histories and logs.
 */
export function rememberTyped({ config }: WebsiteServices, { res }: PageRequest, email: string): void {
  const secure = config.siteUrl.startsWith("https:");
  setCookie(res, "mailed", Buffer.from(email).toString("base64url"), { secure, maxAge: SHOWN });
}

/** The address that was typed; null where this browser has typed none lately. */
export function typedAddress({ config }: WebsiteServices, { req }: PageRequest): string | null {
  const value = readCookie(req, "mailed", config.siteUrl.startsWith("https:"));
  return value === null ? null : normaliseEmail(Buffer.from(value, "base64url").toString());
}
