import { formatCount, formatNumber } from "../format.ts";
import { cut } from "../text.ts";
import { type List, REFUSAL_REASONS, type Refused } from "./list.ts";

/** What a list comes to, as people are told it: urls + duplicates + invalid + offered = entries. */
export interface ListCount {
  readonly urls: number;
  readonly duplicates: number;
  readonly invalid: number;
  /** Addresses without a scheme. */
  readonly offered: number;
  /** How it was read; null for a list of lines. */
  readonly about: string | null;
  /** The first of the invalid entries, each with its line and the reason. */
  readonly left: readonly string[];
  /** What is offered; null for nothing. */
  readonly offer: string | null;
}

/** Entries that are shown, and how many characters of each. */
const SHOWN = 10;
const LENGTH = 80;

const SITEMAP_FILE = /\.xml(?:\.gz)?$/i;

export function countOf(list: List): ListCount {
  const { urls, duplicates, refused, offered } = list;
  return {
    ...{ urls: urls.length, duplicates, invalid: refused.length, offered: offered.length },
    about: aboutList(list),
    left: refused.slice(0, SHOWN).map(refusalWords),
    offer: offerWords(list),
  };
}

function aboutList({ format, column, sitemaps, urls }: List): string | null {
  if (format === "index")
    return `It is a sitemap index: it lists ${formatCount(sitemaps, "sitemap")} and no page. Give the address of the index as a sitemap, or the files of the sitemaps that it lists.`;
  if (urls.length > 0 && urls.every((url) => SITEMAP_FILE.test(url)))
    return "All of its addresses are XML files, which are probably sitemaps and no pages.";
  if (format !== "text") return format === "urlset" ? "Read as a sitemap." : "Read as a feed.";
  if (column === null || column.of === 1) return null;
  const which = column.name === null ? "column" : `the column “${cut(column.name, LENGTH)}”, number`;
  return `Read from ${which} ${column.number} of ${column.of}.`;
}

function refusalWords({ line, text, reason }: Refused): string {
  return `Line ${formatNumber(line)}: ${cut(text, LENGTH)} (${REFUSAL_REASONS[reason]})`;
}

function offerWords({ offered }: List): string | null {
  const [first] = offered;
  if (!first) return null;
  const many = offered.length === 1 ? "1 line does" : `${formatNumber(offered.length)} lines do`;
  return `${many} not say https://, such as line ${formatNumber(first.line)}: ${cut(first.text, LENGTH)}`;
}
