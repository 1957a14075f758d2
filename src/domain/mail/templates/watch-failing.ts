import { formatCount } from "../../../platform/format.ts";
import type { EventData } from "../../events/types.ts";
import { switchable, type Unsubscribable } from "../layout/notice.ts";
import { addressOf, hostOf, linkTo } from "../layout/watch.ts";
import type { Mail } from "../mailer.ts";

/** The mail that a sitemap cannot be read. */
export function watchFailing(notice: Unsubscribable, failing: EventData["watch.failing"]): Mail {
  return switchable(notice, "watches", `The sitemap of ${hostOf(failing)} cannot be read`, [
    `We could not read ${addressOf(failing)} ${formatCount(failing.failures, "time")} in a row: ${failing.reason}. Nothing was changed, and we go on trying.`,
    linkTo(notice, failing),
  ]);
}
