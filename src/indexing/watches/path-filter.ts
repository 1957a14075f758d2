import { canonicalPath, matchesPath } from "../../platform/urls/path-patterns.ts";

/**
 * Whether a page is watched: one of `include` matches its path and query, or there is none, and none of `exclude` does. Patterns are
 * those of robots.txt (RFC 9309 section 2.2.3); the time is linear in the lengths of pattern and address.
 */
export function pathFilter(include: readonly string[], exclude: readonly string[]): (url: string) => boolean {
  if (include.length + exclude.length === 0) return () => true;
  const [included, excluded] = [include.map(canonicalPath), exclude.map(canonicalPath)];
  return (url) => {
    const path = canonicalPath(url.slice(url.indexOf("/", "https://".length)));
    const isMatched = (pattern: string) => matchesPath(pattern, path);
    return (included.length === 0 || included.some(isMatched)) && !excluded.some(isMatched);
  };
}
