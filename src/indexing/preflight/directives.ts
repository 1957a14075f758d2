/**
 * Whether rules for robots (developers.google.com/search/docs/crawling-indexing/robots-meta-tag) ask to be left out
 * of the index. Rules are separated by commas; a rule with a value (`max-image-preview: none`) never does.
 */
export function asksForNoIndex(rules: string): boolean {
  return rules
    .toLowerCase()
    .split(",")
    .some((rule) => !rule.includes(":") && rule.split(/\s+/).some((word) => word === "noindex" || word === "none"));
}
