import { formatCount } from "../../../platform/format.ts";
import type { EventData } from "../../events/types.ts";
import { switchable, type Unsubscribable } from "../layout/notice.ts";
import type { Mail } from "../mailer.ts";

/** The mail that the balance is below the threshold. */
export function creditsLow(notice: Unsubscribable, { balance, threshold }: EventData["credits.low"]): Mail {
  return switchable(notice, "credits", `Your Beckon balance is low: ${formatCount(balance, "credit")}`, [
    `The balance of your Beckon account has fallen below ${formatCount(threshold, "credit")}. Whatever needs more credits than you have left is refused until you have more.`,
    { facts: [["Balance", formatCount(balance, "credit")]] },
    { link: `${notice.siteUrl}/dashboard/buy`, label: "Get credits" },
  ]);
}
