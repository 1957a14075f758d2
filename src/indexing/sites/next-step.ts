import { reachOf } from "../engines/live/google/properties.ts";
import { connectionsOf, knownConnections, type Operator } from "./connect.ts";
import { isReplaced, keyFileUrl } from "./site-keys.ts";
import type { SiteRow } from "./sites.ts";
import type { KeyFileCheck } from "./verify.ts";

export interface SiteFindings {
  /** Result of the check just made; null if none was made, and the stored status decides. */
  readonly result?: KeyFileCheck["result"] | null;
  /** The engines that refuse the key in use. */
  readonly refusedBy?: readonly string[];
  /** Whether the secret of the push address was asked for before the site is verified. */
  readonly isEarly?: boolean;
}

const SECRET_LATER =
  "Once it is verified, call add_site with rotate_push_secret again: the push address and its secret come then.";

/** What the caller should do next, in one to four sentences. */
export function nextStep(site: SiteRow, operator: Operator, findings: SiteFindings = {}): string {
  const step = ofVerification(site, operator, findings);
  return findings.isEarly ? `${step} ${SECRET_LATER}` : step;
}

function ofVerification(site: SiteRow, operator: Operator, { result = null, refusedBy = [] }: SiteFindings): string {
  const place = `Place a text file with the indexnow_key and nothing else at ${keyFileUrl(site)}, then call add_site with this host again.`;
  if (site.status === "pending") return place;
  if (site.status === "failed") {
    const problem = result === null || result === "found" ? "The last check did not find the key" : PROBLEMS[result];
    return `${problem}. ${place}`;
  }
  if (site.verifiedBy === "property")
    return `Verified by your Search Console: ${allows(site, operator)}. For IndexNow too: ${place}`;
  if (isReplaced(site)) return `${place} Until then the old key is used: leave its file where it is.`;
  const status = result === "no_answer" ? "The host does not answer now; it stays verified" : "Verified";
  const allowed = `${status}: ${allows(site, operator)}.`;
  if (refusedBy.length === 0) return `${allowed} Leave the key file where it is.`;
  const refusal = `${refusedBy.join(" and ")} will not take this IndexNow key again, although its file is in place`;
  return `${allowed} ${refusal}: call add_site with rotate_key true for a new one.`;
}

const PROBLEMS: Readonly<Record<Exclude<KeyFileCheck["result"], "found">, string>> = {
  file_not_found: "File not found",
  other_content: "The file has other content than the key",
  not_readable: "The host does not return the file itself: it refuses the request, or redirects elsewhere",
  not_public: "The host is not public: this service may not connect to its address, or to the port",
  no_answer: "The host does not answer",
};

function allows(site: SiteRow, operator: Operator): string {
  if (operator.mode === "sandbox")
    return "a live service would send the site's pages in its name; this sandbox sends nothing";
  const connections = connectionsOf(site, operator);
  if (connections.length === 0) return "this service has no provider that needs it";
  const reach = connections.includes("search_console") ? reachOf({ connections: knownConnections(site) }) : null;
  const limit = reach ? `, but by search_console only those below ${reach.join(" and ")}` : "";
  return `the site's pages now go by ${connections.join(", ")} too${limit}`;
}
