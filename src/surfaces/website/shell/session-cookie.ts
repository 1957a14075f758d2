import type { Request, Response } from "express";
import { DAY } from "../../../platform/clock.ts";

/**
 * The session, the accounts that the browser has been signed in to, a list that waits to be submitted, and the address that was typed
 * last for a mailed link.
 */
type Cookie = "sid" | "known" | "list" | "mailed";

/** With the prefix `__Host-` no other host can set the cookie or get it (RFC 6265bis section 4.1.3.2). */
function nameOf(cookie: Cookie, isSecure: boolean): string {
  return isSecure ? `__Host-${cookie}` : cookie;
}

/** The value of the session cookie; null when there is none, or more than one, of which neither can be trusted. */
export function readSessionCookie(req: Request, isSecure: boolean): string | null {
  return readCookie(req, "sid", isSecure);
}

/** What shows which accounts the browser has been signed in to (known-browsers.ts); "" for nothing. */
export function readKnownCookie(req: Request, isSecure: boolean): string {
  return readCookie(req, "known", isSecure) ?? "";
}

/** The value of a cookie; null when there is none, or more than one. */
export function readCookie({ headers }: Request, cookie: Cookie, isSecure: boolean): string | null {
  const name = `${nameOf(cookie, isSecure)}=`;
  const held = (headers.cookie ?? "").split(";").map((part) => part.trim());
  const values = held.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length));
  return values.length === 1 ? values[0]! : null;
}

/** SameSite=Lax, so that a link in a mail or an app opens the page signed in. */
export function setSessionCookie(res: Response, value: string, isSecure: boolean): void {
  setCookie(res, "sid", value, { secure: isSecure, maxAge: 30 * DAY });
}

/** It outlives the session, for a user who has forgotten the password; browsers keep no cookie longer. */
export function setKnownCookie(res: Response, value: string, isSecure: boolean): void {
  setCookie(res, "known", value, { secure: isSecure, maxAge: 400 * DAY });
}

export function setCookie(
  res: Response,
  cookie: Cookie,
  value: string,
  own: { secure: boolean; maxAge: number },
): void {
  res.cookie(nameOf(cookie, own.secure), value, { path: "/", httpOnly: true, sameSite: "lax", ...own });
}
