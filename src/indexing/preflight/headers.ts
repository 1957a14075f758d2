import { asksForNoIndex } from "./directives.ts";

type Headers = Readonly<Record<string, string>>;

/** Rules with a value after a colon, which look like a user agent. */
const VALUED = new Set(["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"]);

/**
 * Whether X-Robots-Tag asks Googlebot not to index. A user agent before a rule (`otherbot: noindex, nofollow`)
 * applies to the rules up to the next user agent. A second header for all robots is ignored if it was joined to a
 * header for one robot, because the two cannot be told apart.
 */
export function isNoIndexByHeader(headers: Headers): boolean {
  let isForUs = true;
  for (const part of (headers["x-robots-tag"] ?? "").split(",")) {
    const [, name = "", rest = ""] = /^\s*([\w*-]+)\s*:(.*)$/s.exec(part) ?? [];
    const isAgent = name !== "" && !VALUED.has(name.toLowerCase());
    if (isAgent) isForUs = name.toLowerCase() === "googlebot";
    if (isForUs && asksForNoIndex(isAgent ? rest : part)) return true;
  }
  return false;
}

/** The targets of `Link: <…>; rel="canonical"` (RFC 8288) as written, at most five. */
export function canonicalsByHeader(headers: Headers): string[] {
  const found: string[] = [];
  for (const link of (headers.link ?? "").split(/,(?=\s*<)/)) {
    const end = link.indexOf(">");
    const start = link.indexOf("<");
    if (start === -1 || end < start || !isCanonical(link.slice(end + 1))) continue;
    found.push(link.slice(start + 1, end));
    if (found.length === 5) break;
  }
  return found;
}

function isCanonical(parameters: string): boolean {
  const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
  return (quoted ?? bare ?? "").toLowerCase().split(/\s+/).includes("canonical");
}
