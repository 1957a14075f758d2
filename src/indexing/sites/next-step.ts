import { reachOf } from "../engines/live/google/properties.ts";
import { connectionsOf, knownConnections, type Operator } from "./connect.ts";
import type { SiteRow } from "./sites.ts";
import type { KeyFileCheck } from "./verify.ts";

/**
 * What the caller should do next, in one or two sentences.
 * @param result result of the check just made; null if none was made, and the stored status decides
 */
export function nextStep(site: SiteRow, operator: Operator, result: KeyFileCheck["result"] | null = null): string {
  if (site.status === "pending") return `${placeKeyFile(site)}, then call add_site with this host again.`;
  if (site.status === "failed") {
    const problem = result === null || result === "found" ? "The last check did not find the key" : PROBLEMS[result];
    return `${problem}. ${placeKeyFile(site)}, then call add_site with this host again.`;
  }
  const status = result === "no_answer" ? "The host does not answer now; it stays verified" : "Verified";
  return `${status}: ${allows(site, operator)}. Leave the key file where it is.`;
}

function placeKeyFile({ keyUrl }: SiteRow): string {
  return `Place a text file with the indexnow_key and nothing else at ${keyUrl}`;
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
