/**
 * What may be odd about a page and is no reason to hold it back, and the sentence for people. Google comes from
 * other addresses, at another time and under another name: that a page is refused to us says little.
 */
export const PAGE_WARNINGS = {
  http_401: "The page asks for a sign-in (401).",
  http_403: "The page was refused to us (403 or a similar answer).",
  http_404: "The page was not found (404 or 410) when we looked once; a second look was not possible or differed.",
  http_429: "The page's host asked us to slow down (429), so the page was not looked at, or not in full.",
  http_5xx: "The page's server answered with an error of its own (5xx).",
  timeout: "The page's host did not answer in time.",
  unreachable: "The page could not be fetched: no connection, or no answer that can be read.",
  unresolved: "The page's host has no address.",
  redirects: "The page redirects to another page, and search engines may list that one instead.",
  canonical_elsewhere:
    "The page names another page as its canonical one, and search engines may list that one instead.",
  robots_unreachable: "The host's robots.txt could not be read; everything was taken as allowed.",
  not_looked_at: "There was no time to look at the page before sending.",
} as const;

export type PageWarning = keyof typeof PAGE_WARNINGS;
