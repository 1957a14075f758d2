import { formatCount, formatNumber } from "../../platform/format.ts";
import { cut } from "../../platform/text.ts";
import type { EventData } from "../events/types.ts";
import type { Mail } from "../mail/mailer.ts";
import { switchable, type Unsubscribable } from "./messages.ts";

type Held = EventData["watch.held"];

const CAUSES: Readonly<Record<Exclude<Held["reason"], "account_deletion">, string>> = {
  many_removed:
    "Many of its pages are not in the sitemap any more. That is more often a mistake of the site than a decision.",
  many_new: "More pages are new than half of those that were known, which would cost credits at once.",
  many_changed:
    "More than half of its pages say that they have changed at once. Many site generators set the date of every page with every build. If yours does, let the watch ignore changed pages.",
  credential_ended: "The API key, app or agent as which it ran has no access any more.",
};

/** The mail that a watch does nothing until somebody has looked; null where the mail about a deletion says it of all watches. */
export function watchHeld(notice: Unsubscribable, held: Held): Mail | null {
  const { reason } = held;
  if (reason === "account_deletion") return null;
  const isPaused = held.status === "paused";
  const subject = `Your watch of ${hostOf(held)} ${isPaused ? "is paused" : "waits for you"}`;
  const next = isPaused
    ? "Make it active again on its page: it then runs as you."
    : "Nothing was submitted. Look at what has changed, and let it go on with one click; if the sitemap is soon as it was, it goes on by itself.";
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

/** The mail that a sitemap cannot be read. */
export function watchFailing(notice: Unsubscribable, failing: EventData["watch.failing"]): Mail {
  return switchable(notice, "watches", `The sitemap of ${hostOf(failing)} cannot be read`, [
    `We could not read ${addressOf(failing)} ${formatCount(failing.failures, "time")} in a row: ${failing.reason}. Nothing was changed, and we go on trying.`,
    linkTo(notice, failing),
  ]);
}

const LIMITS: Readonly<Record<EventData["watch.budget_spent"]["limit"], string>> = {
  credits_per_month: "It has spent the credits that it may spend this month. They begin anew with the next month.",
  credential: "The API key, app or agent as which it runs may not spend more for now.",
  balance: "The balance of your account does not suffice.",
};

/** The mail that pages wait for credits. */
export function watchBudgetSpent(notice: Unsubscribable, spent: EventData["watch.budget_spent"]): Mail {
  return switchable(notice, "watches", `Pages of ${hostOf(spent)} wait for credits`, [
    `We watch ${addressOf(spent)} for you, and ${formatCount(spent.waiting, "page")} could not be submitted. ${LIMITS[spent.limit]}`,
    "They wait, and are submitted as soon as there are credits, the oldest first.",
    linkTo(notice, spent),
  ]);
}

interface About {
  readonly watch_id: string;
  readonly sitemap_url: string;
}

function linkTo({ siteUrl }: Unsubscribable, { watch_id: id }: About) {
  return { link: `${siteUrl}/dashboard/watches/${id}`, label: "See the watch" };
}

function hostOf({ sitemap_url: url }: About): string {
  return cut(new URL(url).hostname, 60);
}

function addressOf({ sitemap_url: url }: About): string {
  return cut(url, 200);
}
