/**
 * Warnings about a page, with their sentences. They do not prevent submission. Google crawls from other addresses, at
 * another time and under another name, so that an answer to us says little about its answer to Google.
 */
export const PAGE_WARNINGS = {
  http_401: "The page asks for a sign-in (401).",
  http_403: "The page's server refused our request (403 or a similar answer).",
  http_404:
    "The page was not found (404 or 410) at our first request; a second one was not possible, or had another result.",
  http_429: "The page's host asked us to slow down (429), so the page was not checked, or not completely.",
  http_5xx: "The page's server answered with an error of its own (5xx).",
  timeout: "The page's host did not answer in time.",
  unreachable: "The page could not be fetched: there was no connection, or no valid answer.",
  unresolved: "The page's host name does not resolve.",
  redirects: "The page redirects to another page, and search engines may list that one instead.",
  canonical_elsewhere:
    "The page names another page as its canonical one, and search engines may list that one instead.",
  robots_unreachable: "The host's robots.txt could not be read; everything counted as allowed.",
  agents_kept_out:
    "The page or its robots.txt keeps out the crawler of a search besides Google's (access says which, and by what); take the rule out if that search should find the page.",
  not_looked_at: "There was no time to check the page before it was submitted.",
} as const;

export type PageWarning = keyof typeof PAGE_WARNINGS;
