/** What the form of a new project says of a count. */
import { formatCount, formatNumber } from "../../../platform/format.ts";
import type { ListCount } from "../../../platform/lists/words.ts";

/** What was read of a file, and what of it was left out. */
export function fileText(name: string, count: ListCount): string {
  const found = `${name}: ${formatCount(count.urls, "URL")}, ${formatCount(count.duplicates, "duplicate")}, ${formatNumber(count.invalid)} invalid.`;
  return [count.about ? `${found} ${count.about}` : found, ...leftText(count)].join("\n");
}

export function leftText({ left, invalid }: ListCount): string[] {
  const shown = left.slice(0, 3);
  return invalid > shown.length ? [...shown, `and ${formatNumber(invalid - shown.length)} more`] : shown;
}
