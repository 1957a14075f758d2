import { deflateRawSync, inflateRawSync } from "node:zlib";
import { DAY } from "../../../platform/clock.ts";
import { isStorable } from "../../../platform/text.ts";
import type { PageRequest, WebsiteServices } from "./page-request.ts";
import { readCookie, setCookie } from "./session-cookie.ts";

/**
 * The list that somebody wants to submit, on its way through sign-up and payment. A browser that runs scripts keeps it by
 * itself (browser/draft.ts), and its cookie says only that there is one. Without scripts the cookie has the list, if it is short.
 */

/** How long the cookie is kept. */
const LIFETIME = 7 * DAY;

/** Most characters of the cookie: servers in between take headers of 4 KB at least, which hold more than this one. */
const MOST = 2_048;

/** Most bytes that a cookie is unpacked to. */
const MOST_UNPACKED = 64 * 1024;

/** What stands in the cookie where the browser has the list. */
const IN_BROWSER = "browser";

/** The fields of the form of a new project. */
export type KeptFields = Readonly<Record<string, string>>;

/** What is kept; without a field where the browser has it. Null: nothing. */
export function keptListOf(services: WebsiteServices, { req }: PageRequest): KeptFields | null {
  const value = readCookie(req, "list", isSecure(services));
  if (value === null) return null;
  return value === IN_BROWSER ? {} : unpacked(value);
}

/** Says that the browser keeps the list by itself. */
export function keepInBrowser(services: WebsiteServices, { res }: PageRequest): void {
  setCookie(res, "list", IN_BROWSER, { secure: isSecure(services), maxAge: LIFETIME });
}

/** Keeps a list, with what else was chosen for it. @returns false where it is too long for a cookie */
export function keepList(services: WebsiteServices, { res }: PageRequest, fields: KeptFields): boolean {
  const value = deflateRawSync(JSON.stringify(fields)).toString("base64url");
  if (value.length > MOST) return false;
  setCookie(res, "list", value, { secure: isSecure(services), maxAge: LIFETIME });
  return true;
}

/** Forgets the list, as it was submitted, or its owner signed out. */
export function forgetList(services: WebsiteServices, request: PageRequest): void {
  if (readCookie(request.req, "list", isSecure(services)) === null) return;
  setCookie(request.res, "list", "", { secure: isSecure(services), maxAge: 0 });
}

/** Null for what is not ours: whoever has the browser may have written anything. */
function unpacked(value: string): KeptFields | null {
  try {
    const bytes = inflateRawSync(Buffer.from(value, "base64url"), { maxOutputLength: MOST_UNPACKED });
    const fields: unknown = JSON.parse(bytes.toString());
    const texts = Object.values(fields as object);
    return texts.every((text) => typeof text === "string" && isStorable(text)) ? (fields as KeptFields) : null;
  } catch {
    return null;
  }
}

function isSecure({ config }: WebsiteServices): boolean {
  return config.siteUrl.startsWith("https:");
}
