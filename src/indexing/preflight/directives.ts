/**
 * Whether rules for robots (developers.google.com/search/docs/crawling-indexing/robots-meta-tag) ask to leave a page
 * out of the index. Commas separate the rules. A rule with a value (`max-image-preview: none`) never asks for it.
 */
export function asksForNoIndex(rules: string): boolean {
  return rules
    .toLowerCase()
    .split(",")
    .some((rule) => !rule.includes(":") && rule.split(/\s+/).some((word) => word === "noindex" || word === "none"));
}
