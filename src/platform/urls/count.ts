import { cut } from "../text.ts";
import type { Entry } from "./entries.ts";
import { UrlListBuilder } from "./urls.ts";

/** What a list comes to, as a page shows it: urls + duplicates + invalid = entries. */
export interface ListCount {
  readonly urls: number;
  readonly duplicates: number;
  readonly invalid: number;
  /** The first invalid entries, cut, with their lines. */
  readonly invalidLines: readonly Entry[];
}

const SHOWN = 10;
const LENGTH = 80;

/** Counts a list by the normal form of its URLs, as every operation does. It runs in browsers too. */
export function countEntries(entries: readonly Entry[]): ListCount {
  const builder = new UrlListBuilder();
  const invalidLines: Entry[] = [];
  let invalid = 0;
  for (const { text, line } of entries) {
    builder.add(text);
    if (builder.invalid === invalid) continue;
    invalid = builder.invalid;
    if (invalidLines.length < SHOWN) invalidLines.push({ text: cut(text, LENGTH), line });
  }
  return { urls: builder.size, duplicates: entries.length - builder.size - invalid, invalid, invalidLines };
}
