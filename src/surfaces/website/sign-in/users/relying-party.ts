import { type RelyingParty, relyingPartyOf } from "../../../../domain/factors/relying-party.ts";
import { Refusal } from "../../../../platform/errors/errors.ts";
import type { PageRequest, WebsiteServices } from "../../shell/page-request.ts";

/** The relying party of a request; null where passkeys cannot be used. */
export function relyingPartyFor({ config }: WebsiteServices, { req }: PageRequest): RelyingParty | null {
  return relyingPartyOf(config.siteUrl, req.headers.host);
}

/** @throws Refusal invalid_request where passkeys cannot be used */
export function requireRelyingParty(services: WebsiteServices, request: PageRequest): RelyingParty {
  const relyingParty = relyingPartyFor(services, request);
  if (relyingParty) return relyingParty;
  throw new Refusal("invalid_request", "Passkeys cannot be used at an IP address. Open this page by a name.");
}
