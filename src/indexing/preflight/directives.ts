import { dateAt } from "./rule-date.ts";

/**
 * Whether rules for robots ask to leave a page out of the index
 * (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag): `noindex`, `none`, or
 * `unavailable_after` with a date that has passed. Other rules with a value (`max-image-preview: none`) never do.
 * @param now real ms
 */
export function asksForNoIndex(rules: string, now: number): boolean {
  const [first, ...dated] = rules.toLowerCase().split(/\bunavailable_after\s*:\s*/);
  const dates = dated.map(dateAt);
  if (dates.some((date) => date !== null && date.at <= now)) return true;
  const others = dated.map((text, index) => text.slice(dates[index]?.end ?? text.search(/[\s,;]|$/)));
  return [first!, ...others].some(hasNoIndex);
}

/** Commas separate rules, as documented; many pages have spaces or semicolons. */
function hasNoIndex(rules: string): boolean {
  const parts = rules.split(/([\s,;:]+)/);
  return parts.some((word, index) => {
    const isValue = /:\s*$/.test(parts[index - 1] ?? "");
    const isName = /^\s*:/.test(parts[index + 1] ?? "");
    return (word === "noindex" || word === "none") && !isValue && !isName;
  });
}
