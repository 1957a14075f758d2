import { formatNumber } from "../../../platform/format.ts";
import { switchable, type Unsubscribable } from "../layout/notice.ts";
import { type About, hostOf } from "../layout/watch.ts";
import type { Mail } from "../mailer.ts";

/** Watches that the mail names. */
const NAMED = 20;

/** The mail that all watches of an account are paused, because the operator has disabled it. */
export function watchesPaused(notice: Unsubscribable, watches: readonly About[]): Mail {
  const [first, ...others] = watches;
  const subject =
    others.length === 0 ? `Your watch of ${hostOf(first!)} is paused` : `Your ${watches.length} watches are paused`;
  const names = watches.slice(0, NAMED).map(hostOf).join(", ");
  const left = watches.length - NAMED;
  return switchable(notice, "watches", subject, [
    "The operator of the service has disabled your account, and the overview of your dashboard says why.",
    `Until it is enabled again nothing is watched for you: ${names}${left > 0 ? `, and ${formatNumber(left)} more` : ""}. All of it continues by itself then.`,
    { link: `${notice.siteUrl}/dashboard/watches`, label: "See the watches" },
  ]);
}
