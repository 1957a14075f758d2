import { formatCount } from "../../../platform/format.ts";
import type { EventData } from "../../events/types.ts";
import { switchable, type Unsubscribable } from "../layout/notice.ts";
import { addressOf, hostOf, linkTo } from "../layout/watch.ts";
import type { Mail } from "../mailer.ts";

const LIMITS: Readonly<Record<EventData["watch.budget_spent"]["limit"], string>> = {
  credits_per_month: "It has spent all the credits that it may spend this month. The count begins again next month.",
  credential: "The API key, app or agent as which it runs may not spend more for now.",
  balance: "Your account does not have enough credits.",
};

/** The mail that pages wait for credits. */
export function watchBudgetSpent(notice: Unsubscribable, spent: EventData["watch.budget_spent"]): Mail {
  return switchable(notice, "watches", `Pages of ${hostOf(spent)} wait for credits`, [
    `We watch ${addressOf(spent)} for you, and ${formatCount(spent.waiting, "page")} could not be submitted. ${LIMITS[spent.limit]}`,
    "They wait, and are submitted as soon as there are credits, the oldest first.",
    linkTo(notice, spent),
  ]);
}
