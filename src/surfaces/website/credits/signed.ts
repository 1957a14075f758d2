import { formatNumber } from "../../../platform/format.ts";

/** A change of a balance with its plus or minus sign (U+2212, which screen readers read as minus). */
export function signed(credits: number): string {
  return credits > 0 ? `+${formatNumber(credits)}` : `\u2212${formatNumber(-credits)}`;
}
