import type { Request, Response } from "express";
import { DAY } from "../../platform/clock.ts";

/** `__Host-`: no other host can have set it, and it goes to no other (RFC 6265bis section 4.1.3.2). */
function nameOf(isSecure: boolean): string {
  return isSecure ? "__Host-sid" : "sid";
}

/** What the browser's cookie holds, signed in or not; the last of several is not believed more than the first. */
export function readSessionCookie({ headers }: Request, isSecure: boolean): string | null {
  const name = `${nameOf(isSecure)}=`;
  const held = (headers.cookie ?? "").split(";").map((part) => part.trim());
  const values = held.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length));
  return values.length === 1 ? values[0]! : null;
}

/** Lax, so that the links of mails and apps find the person signed in. */
export function setSessionCookie(res: Response, value: string, isSecure: boolean): void {
  const options = { path: "/", httpOnly: true, sameSite: "lax", secure: isSecure, maxAge: 30 * DAY } as const;
  res.cookie(nameOf(isSecure), value, options);
}
