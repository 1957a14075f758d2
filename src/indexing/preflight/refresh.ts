const INSTANT = /^\s*(?:0+(?:\.[\d.]*)?|\.[\d.]*)(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))/is;

/**
 * The target of a refresh after 0 seconds, as written. Google takes it for a redirect
 * (https://developers.google.com/search/docs/crawling-indexing/301-redirects). Null if it waits, or names no target.
 * @param value of the header Refresh, or of `meta http-equiv=refresh`
 * (https://html.spec.whatwg.org/multipage/document-lifecycle.html#shared-declarative-refresh-steps)
 */
export function instantRefresh(value: string): string | null {
  const [, double, single, bare] = INSTANT.exec(value) ?? [];
  return (double ?? single ?? bare ?? "").trim() || null;
}
