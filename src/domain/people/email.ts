import { domainToASCII } from "node:url";

/**
 * The form of an e-mail address that is stored and compared: trimmed, in lower case, its domain in punycode. Dots and
 * plus signs stay as they are.
 * @returns null when the text is no e-mail address (RFC 5321 section 4.1.2, without quoted local parts and address literals)
 */
export function normaliseEmail(text: string): string | null {
  const [local = "", domain = "", ...more] = text.trim().toLowerCase().split("@");
  if (
    more.length > 0 ||
    local.length > 64 ||
    !/^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(local)
  )
    return null;
  // Node parses a domain as part of a URL: characters that would end it there, or are percent-encoded, are refused here.
  const host = /^[a-z0-9.\u0080-\uffff-]+$/.test(domain) ? domainToASCII(domain) : "";
  const isHost =
    /^(?=.{1,190}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(host) &&
    !/(^|\.)\d+$/.test(host);
  return isHost ? `${local}@${host}` : null;
}
