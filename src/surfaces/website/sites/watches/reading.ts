import { costOf } from "../../../../domain/ledger/costs.ts";
import { balanceOf } from "../../../../domain/ledger/ledger.ts";
import { mostOfRun, spentIn } from "../../../../domain/watches/budget.ts";
import { settingsOf } from "../../../../domain/watches/rows.ts";
import { findWatch } from "../../../../domain/watches/watches.ts";
import type { SignedInRequest, WebsiteServices } from "../../shell/page-request.ts";
import type { Run } from "./watch-words.ts";

/** What the buttons of a watch show besides the answers of operations. It is the one file of this folder that reads the domain. */

export interface Prices {
  /** The most that a run costs now. */
  readonly run: number;
  /** The most that it costs to go on with what holds the watch, now and this month, and what that is; null: nothing holds it. */
  readonly release: { readonly credits: number; readonly month: number; readonly held: string } | null;
}

/** What the buttons of a watch may spend. @param last its newest run */
export async function pricesOf(
  { db, clock }: WebsiteServices,
  { session: { accountId }, now }: SignedInRequest,
  { id, last }: { readonly id: string; readonly last: Run | undefined },
): Promise<Prices> {
  const [watch, balance] = await Promise.all([findWatch(db, accountId, id), balanceOf(db, accountId)]);
  const run = await mostOfRun(db, watch, { balance, now, service: clock.service() });
  if (watch.status !== "held" || watch.heldDigest === null || !last) return { run, release: null };
  const { newPages, changedPages, mode } = settingsOf(watch);
  const found = (newPages === "submit" ? last.new : 0) + (changedPages === "submit" ? last.changed : 0);
  const whole = costOf(mode, found + watch.waiting);
  const left = Math.max(0, watch.creditsPerMonth - spentIn(watch, clock.service()));
  return { run, release: { credits: Math.min(run, whole), month: Math.min(left, whole), held: watch.heldDigest } };
}
