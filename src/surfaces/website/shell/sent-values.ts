import type { Request } from "express";
import { Refusal } from "../../../platform/errors/errors.ts";
import { isStorable } from "../../../platform/text.ts";

/**
 * Refuses forms that another site sent. Browsers send Sec-Fetch-Site, older ones Origin. A client that sends neither is no
 * browser of the last ten years, and is checked by the CSRF token alone.
 * @throws Refusal forbidden_origin
 */
export function refuseCrossSite({ headers }: Request, siteUrl: URL): void {
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"];
  if (site === undefined && origin === undefined) return;
  // A service on plain http may be reached by other names of its machine, a service on https only by the name in SITE_URL.
  const isHere = origin === siteUrl.origin || (siteUrl.protocol === "http:" && origin === `http://${host}`);
  const isOurs = site === undefined ? isHere : site === "same-origin";
  if (!isOurs)
    throw new Refusal("forbidden_origin", "This form was not sent from one of our pages. Open the page again.");
}

/** The values of a field or parameter. @throws Refusal invalid_request */
export function valuesIn(source: unknown, name: string): string[] {
  const found = source !== null && typeof source === "object" && Object.hasOwn(source, name);
  const value = found ? (source as Record<string, unknown>)[name] : undefined;
  const values = value === undefined ? [] : Array.isArray(value) ? value : [value];
  const texts = values.map(String);
  if (texts.every(isStorable)) return texts;
  throw new Refusal("invalid_request", `\`${name}\` contains characters that are not allowed.`, {
    issues: [{ path: name, message: "U+0000 or an unpaired surrogate" }],
  });
}

/** The value of a field or parameter that may be there once; "" when absent. @throws Refusal invalid_request */
export function only(values: readonly string[], name: string): string {
  if (values.length <= 1) return values[0] ?? "";
  throw new Refusal("invalid_request", `\`${name}\` was sent more than once.`, {
    issues: [{ path: name, message: "sent more than once" }],
  });
}

/** What a title begins with on the later pages of a list. */
export function pageNumber({ query: { page } }: Request): string {
  return typeof page === "string" && /^[1-9]\d{0,5}$/.test(page) && page !== "1" ? `Page ${page}: ` : "";
}
