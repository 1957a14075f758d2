import { canonicalPath, matchesPath } from "../../platform/urls/path-patterns.ts";

/**
 * Whether a page is watched. One of `include` must match its path and query, unless there is none, and none of
 * `exclude` may match. Patterns have the form of robots.txt (RFC 9309 section 2.2.3). The time is linear in the
 * lengths of pattern and address.
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
