import type { Estimate } from "../generated/shapes.ts";
import { list, type Row } from "./table.ts";

/** What `--dry-run` prints: what was counted, what it costs, and whether the balance is too low for it. */
export function estimateText(
  counted: Row,
  { credits, balance, enough }: Pick<Estimate, "credits" | "balance" | "enough">,
): string {
  const text = list({ ...counted, credits, balance });
  if (enough !== false) return text;
  return `${text}\n\nNot enough credits: this costs ${credits}, and the balance is ${balance}. Buy more: beckon credits --buy PACK`;
}
