import { createHash } from "node:crypto";
import type { PackedUrls } from "../../platform/urls/packed-urls.ts";
import type { SpendingPurpose } from "../spending/spend.ts";
import type { CheckDraft, IndexDraft } from "./draft.ts";

/** URLs and hosts that a person sees who is asked to approve a project. */
const SHOWN = 10;

/**
 * SHA-256 of what a project does: which URLs, and how they are treated. Their order is left out, since a sitemap that lists the same
 * pages in another order asks for nothing else.
 */
export function digestOf(draft: IndexDraft | CheckDraft): string {
  const { urls, accountId: _, now: __, service: ___, spender: ____, ...rest } = draft;
  // What the operator has set is no part of what was asked for.
  const how = Object.entries(rest).filter(([name, value]) => name !== "preflight" && value !== undefined);
  const hash = createHash("sha256").update(JSON.stringify(how.sort()));
  for (const url of urls.toArray().sort()) hash.update(`\n${url}`);
  return hash.digest("hex");
}

/** What a project is about, for the person who is asked to approve it. */
export function purposeOf(
  draft: IndexDraft | CheckDraft,
  { name, description }: Pick<SpendingPurpose, "name" | "description">,
): SpendingPurpose {
  const { urls } = draft;
  const hosts = hostsOf(urls);
  return {
    ...{ name, description, count: urls.length },
    sitemap: (draft.kind === "index" && draft.sitemapUrl) || null,
    ...{ hosts: hosts.slice(0, SHOWN), otherHosts: Math.max(0, hosts.length - SHOWN) },
    urls: Array.from({ length: Math.min(SHOWN, urls.length) }, (_, at) => urls.at(at)),
  };
}

/** The hosts of normalised URLs, with how many each has, the most first. */
function hostsOf(urls: PackedUrls): SpendingPurpose["hosts"] {
  const counts = new Map<string, number>();
  for (let at = 0; at < urls.length; at++) {
    const host = urls.at(at).split("/", 3)[2]!;
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  return [...counts].map(([host, count]) => ({ host, urls: count })).sort((one, other) => other.urls - one.urls);
}
