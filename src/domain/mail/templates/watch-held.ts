import { formatNumber } from "../../../platform/format.ts";
import type { EventData } from "../../events/types.ts";
import { switchable, type Unsubscribable } from "../layout/notice.ts";
import { addressOf, hostOf, linkTo } from "../layout/watch.ts";
import type { Mail } from "../mailer.ts";

type Held = EventData["watch.held"];

const CAUSES: Readonly<Record<Exclude<Held["reason"], "account_deletion" | "account_disabled">, string>> = {
  many_removed: "Many of its pages are no longer in the sitemap. That is more often a mistake than a decision.",
  many_new:
    "The number of new pages is more than half of the number known before, and submitting them would cost credits at once.",
  many_changed:
    "More than half of its pages say that they changed at the same time. Many site generators set the date of every page with every build. If yours does, let the watch ignore changed pages.",
  credential_ended: "The API key, app or agent as which it ran no longer has access.",
};

const MAKE_ACTIVE = "Make it active again on its page: it then runs as you.";
const LOOK =
  "Nothing was submitted. Look at what has changed, and let it continue with one click; if the sitemap soon looks as before, it continues by itself.";

/** The mail that a watch does nothing until somebody has looked; null where one mail says it of all watches. */
export function watchHeld(notice: Unsubscribable, held: Held): Mail | null {
  const { reason } = held;
  if (reason === "account_deletion" || reason === "account_disabled") return null;
  const isPaused = held.status === "paused";
  const subject = `Your watch of ${hostOf(held)} ${isPaused ? "is paused" : "waits for you"}`;
  const next = isPaused ? MAKE_ACTIVE : LOOK;
  const facts = [
    ["Pages known", formatNumber(held.known)],
    ["New", formatNumber(held.new)],
    ["Changed", formatNumber(held.changed)],
    ["Removed", formatNumber(held.removed)],
  ] as const;
  return switchable(notice, "watches", subject, [
    `We watch ${addressOf(held)} for you. ${CAUSES[reason]}`,
    ...(isPaused ? [] : [{ facts }]),
    next,
    linkTo(notice, held),
  ]);
}
