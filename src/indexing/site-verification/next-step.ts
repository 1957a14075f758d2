import { connectionsOf, type Operator } from "./connect.ts";
import type { SiteRow } from "./sites.ts";
import type { Look } from "./verify.ts";

/**
 * One sentence or two on what is to be done now.
 * @param result of the look that was just made; without it the site speaks as it stands
 */
export function nextStep(site: SiteRow, operator: Operator, result: Look["result"] | null = null): string {
  if (site.status === "pending") return `${place(site)}, then call add_site with this host again.`;
  if (site.status === "failed") {
    const trouble = result === null || result === "found" ? "The last look did not find the key" : TROUBLES[result];
    return `${trouble}. ${place(site)}, then call add_site with this host again.`;
  }
  const standing = result === "no_answer" ? "The host does not answer just now; it stays verified" : "Verified";
  return `${standing}: ${allows(connectionsOf(site, operator), operator.mode)}. Leave the key file where it is.`;
}

function place({ keyUrl }: SiteRow): string {
  return `Place a text file with the indexnow_key and nothing else at ${keyUrl}`;
}

const TROUBLES: Readonly<Record<Exclude<Look["result"], "found">, string>> = {
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
