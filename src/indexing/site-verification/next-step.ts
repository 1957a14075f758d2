import { connectionsOf, type Operator } from "./connect.ts";
import type { SiteRow } from "./sites.ts";
import type { KeyFileCheck } from "./verify.ts";

/**
 * What to do next, in one or two sentences.
 * @param result of the check just made; null: none was made, and the stored status decides
 */
export function nextStep(site: SiteRow, operator: Operator, result: KeyFileCheck["result"] | null = null): string {
  if (site.status === "pending") return `${placeKeyFile(site)}, then call add_site with this host again.`;
  if (site.status === "failed") {
    const trouble = result === null || result === "found" ? "The last check did not find the key" : TROUBLES[result];
    return `${trouble}. ${placeKeyFile(site)}, then call add_site with this host again.`;
  }
  const standing = result === "no_answer" ? "The host does not answer just now; it stays verified" : "Verified";
  return `${standing}: ${allows(connectionsOf(site, operator), operator.mode)}. Leave the key file where it is.`;
}

function placeKeyFile({ keyUrl }: SiteRow): string {
  return `Place a text file with the indexnow_key and nothing else at ${keyUrl}`;
}

const TROUBLES: Readonly<Record<Exclude<KeyFileCheck["result"], "found">, string>> = {
  file_not_found: "File not found",
  other_content: "Other content than the key stands there",
  not_readable: "The host does not show the file itself: it refuses, or leads to another place",
  not_public: "The host is not a public one: its address, or the port, is not open to this service",
  no_answer: "The host does not answer",
};

function allows(connections: readonly string[], mode: Operator["mode"]): string {
  if (mode === "sandbox") return "a live service would send the site's pages in its name; this sandbox sends nothing";
  if (connections.length === 0) return "this service has no provider that needs it";
  return `the site's pages now go by ${connections.join(", ")} too`;
}
