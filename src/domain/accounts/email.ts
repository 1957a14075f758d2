import { domainToASCII } from "node:url";

/**
 * The one form of an e-mail address that is stored and compared: trimmed, lower-case, its domain in punycode. Dots and
 * plus signs stay as they are.
 * @returns null when it is no address (RFC 5321 section 4.1.2, without quoted local parts and address literals)
 */
export function normaliseEmail(text: string): string | null {
  const [local = "", domain = "", ...more] = text.trim().toLowerCase().split("@");
  if (
    more.length > 0 ||
    local.length > 64 ||
    !/^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(local)
  )
    return null;
  // Node reads a domain as it stands in a URL: what would end it there, or is escaped, is none here.
  const host = /^[a-z0-9.\u0080-\uffff-]+$/.test(domain) ? domainToASCII(domain) : "";
  const isHost =
    /^(?=.{1,190}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(host) &&
    !/(^|\.)\d+$/.test(host);
  return isHost ? `${local}@${host}` : null;
}
