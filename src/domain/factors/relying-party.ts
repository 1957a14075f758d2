import { isIP } from "node:net";

/** The site that a passkey is for (WebAuthn level 3 section 5.1.2). */
export interface RelyingParty {
  /** A host name. A passkey works on no other one. */
  readonly id: string;
  /** The origin of the pages that use it. */
  readonly origin: string;
}

/**
 * The relying party of a request; null where passkeys cannot work, since an IP address is no id. A sandbox that is reached
 * as `localhost`, and not by the IP address of its SITE_URL, is one by that name.
 * @param host the header Host of the request
 */
export function relyingPartyOf(siteUrl: string, host: string | undefined): RelyingParty | null {
  const site = new URL(siteUrl);
  if (!isAddress(site.hostname)) return { id: site.hostname, origin: site.origin };
  const isLoopback = site.hostname.startsWith("127.") || site.hostname === "[::1]";
  if (site.protocol !== "http:" || !isLoopback || !/^localhost(:\d+)?$/.test(host ?? "")) return null;
  return { id: "localhost", origin: `http://${host}` };
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
}
