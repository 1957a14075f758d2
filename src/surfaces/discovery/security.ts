import { DAY } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { PATHS } from "./paths.ts";

/** How long security.txt is valid, in ms; less than a year is recommended (RFC 9116 section 2.5.5). */
const VALID = 180 * DAY;

/**
 * security.txt: where to report a vulnerability (RFC 9116). It expires at midnight UTC, so that its text changes once
 * a day.
 * @param contact an e-mail address or a page
 */
export function securityText({ siteUrl, contact }: { siteUrl: string; contact: string }, now: number): string {
  const expires = new Date(Math.floor((now + VALID) / DAY) * DAY).toISOString();
  return `Contact: ${uriOf(contact)}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${siteUrl}${PATHS.security}\n`;
}

/** Whether the contact can be written as a URI, as RFC 9116 requires; the setting accepts any word. */
export function isReachable(contact: Config["contact"]): contact is string {
  return contact !== undefined && /^(?:https:\/\/|mailto:|tel:|[^@:/]+@[^@:/]+$)/.test(contact);
}

function uriOf(contact: string): string {
  return contact.includes(":") ? contact : `mailto:${contact}`;
}
