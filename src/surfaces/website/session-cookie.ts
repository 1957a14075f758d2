import type { Request, Response } from "express";
import { DAY } from "../../platform/clock.ts";

/** With the prefix `__Host-` no other host can have set the cookie, nor gets it (RFC 6265bis section 4.1.3.2). */
function nameOf(isSecure: boolean): string {
  return isSecure ? "__Host-sid" : "sid";
}

/** The value of the session cookie; null when there is none, or more than one, of which neither can be trusted. */
export function readSessionCookie({ headers }: Request, isSecure: boolean): string | null {
  const name = `${nameOf(isSecure)}=`;
  const held = (headers.cookie ?? "").split(";").map((part) => part.trim());
  const values = held.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length));
  return values.length === 1 ? values[0]! : null;
}

/** SameSite=Lax, so that a link in a mail or an app opens the page signed in. */
export function setSessionCookie(res: Response, value: string, isSecure: boolean): void {
  const options = { path: "/", httpOnly: true, sameSite: "lax", secure: isSecure, maxAge: 30 * DAY } as const;
  res.cookie(nameOf(isSecure), value, options);
}
