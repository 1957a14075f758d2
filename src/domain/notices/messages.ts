import { iso } from "../../platform/clock.ts";
import { formatCount, formatDollars, formatNumber } from "../../platform/format.ts";
import { cut, hasVisible } from "../../platform/text.ts";
import type { EventData } from "../events/types.ts";
import type { Mail } from "../mail/mailer.ts";
import { type LetterPart, mailOf } from "../mail/templates/letter.ts";
import type { Receipt } from "../payments/receipts.ts";
import { NOTICE_KINDS, type NoticeKind } from "./kinds.ts";

/** What every notice needs. */
interface Addressed {
  readonly to: string;
  readonly siteUrl: string;
}

/** A notice that can be switched off, by its own address. */
export interface Unsubscribable extends Addressed {
  readonly unsubscribe: string;
}

/** Projects that one mail lists. */
const LISTED = 20;

/** Where the settings of notices are. */
export const NOTICES_PATH = "/dashboard/notices";

type Completed = EventData["project.completed"];

/** The mail that one project is completed, or several are. */
export function projectsCompleted(notice: Unsubscribable, projects: readonly Completed[]): Mail {
  const [first, ...others] = projects;
  if (first && others.length === 0) return projectCompleted(notice, first);
  const total = (count: (project: Completed) => number) => projects.reduce((sum, project) => sum + count(project), 0);
  const listed = projects.slice(0, LISTED).map((project) => [lineOf(project.name), resultOf(project)] as const);
  const left = projects.length - listed.length;
  return switchable(notice, "projects", `${formatCount(projects.length, "project")} completed`, [
    `${formatNumber(total(({ counts }) => counts.indexed))} of ${formatCount(
      total(({ counts }) => counts.total),
      "URL",
    )} are indexed. ${returnedText(total(({ credits_returned: returned }) => returned))}`,
    { facts: listed },
    ...(left > 0 ? [`And ${formatCount(left, "more project")}.`] : []),
    { link: `${notice.siteUrl}/dashboard/projects`, label: "See the projects" },
  ]);
}

function projectCompleted(notice: Unsubscribable, project: Completed): Mail {
  const { project_id: id, kind, counts, credits_spent: spent, credits_returned: returned } = project;
  const what = kind === "check" ? "check" : "project";
  const { total, indexed, not_indexed: notIndexed, failed } = counts;
  return switchable(notice, "projects", `Completed: ${lineOf(project.name)}`, [
    `Every URL of your ${what} “${lineOf(project.name)}” is decided: ${formatNumber(indexed)} of ${formatNumber(total)} ${indexed === 1 ? "is" : "are"} indexed. ${returnedText(returned)}`,
    {
      facts: [
        ["URLs", formatNumber(total)],
        ["Indexed", formatNumber(indexed)],
        ["Not indexed", formatNumber(notIndexed)],
        ["Failed", formatNumber(failed)],
        ["Credits spent", formatNumber(spent)],
        ["Credits returned", formatNumber(returned)],
      ],
    },
    { link: `${notice.siteUrl}/dashboard/projects/${id}`, label: `See the ${what}` },
  ]);
}

function resultOf({ counts: { indexed, total } }: Completed): string {
  return `${formatNumber(indexed)} of ${formatNumber(total)} indexed`;
}

function returnedText(credits: number): string {
  return credits === 0 ? "No credits were returned." : `${formatCount(credits, "credit")} came back to your balance.`;
}

/** The mail that the balance is below the threshold. */
export function creditsLow(notice: Unsubscribable, { balance, threshold }: EventData["credits.low"]): Mail {
  return switchable(notice, "credits", `Your Beckon balance is low: ${formatCount(balance, "credit")}`, [
    `The balance of your Beckon account has fallen below ${formatCount(threshold, "credit")}. What needs more credits than are left is refused until you buy some.`,
    { facts: [["Balance", formatCount(balance, "credit")]] },
    { link: `${notice.siteUrl}/dashboard/buy`, label: "Buy credits" },
  ]);
}

/** The receipt of an order. @param seller lines that name who sells */
export function orderPaid(notice: Unsubscribable, receipt: Receipt, seller: readonly string[]): Mail {
  const { number, paidAt, buyer, order, method, taxCents, transaction, isTest } = receipt;
  const credits = formatCount(order.credits, "credit");
  return switchable(notice, "receipts", `Receipt: ${credits} for your Beckon account`, [
    `Thank you. Your payment has arrived, and ${credits} were added to your balance.`,
    ...(isTest ? ["This is a test payment: no real money has paid for it."] : []),
    {
      facts: [
        ["Receipt", number],
        ["Order", order.id],
        ["Paid on", `${iso(paidAt).slice(0, 10)} (UTC)`],
        ["Paid by", method],
        ["Credits", formatNumber(order.credits)],
        ["Price", formatDollars(order.amountCents)],
        ...(taxCents === null ? [] : [["Tax contained", formatDollars(taxCents)] as const]),
      ],
    },
    `Sold by ${seller.map(lineOf).join(", ")}, to ${lineOf(buyer.email)}.`,
    ...(transaction ? [transactionPart(transaction)] : []),
    { link: `${notice.siteUrl}/dashboard/orders/${order.id}/receipt`, label: "Print the receipt" },
  ]);
}

function transactionPart({ network, hash, url }: NonNullable<Receipt["transaction"]>): LetterPart {
  return url === null
    ? `The transaction is ${hash} on the network ${network}.`
    : { link: url, label: "See the transaction" };
}

/** The mail that credits of an order were taken back. @param at real time */
export function orderRefunded(notice: Unsubscribable, order: EventData["order.refunded"], at: number): Mail {
  const { order_id: id, credits_taken_back: takenBack } = order;
  const taken = formatCount(takenBack, "credit");
  return switchable(notice, "receipts", `${REFUND_SUBJECTS[order.status] ?? "Credits taken back"}: ${taken}`, [
    `${REFUND_CAUSES[order.status] ?? "A part of the payment was returned."} Of the ${formatCount(order.credits, "credit")} of this order, ${formatNumber(takenBack)} were taken out of your balance.`,
    { facts: orderFacts(order, ["Changed on", `${iso(at).slice(0, 10)} (UTC)`]) },
    { link: `${notice.siteUrl}/dashboard/orders/${id}`, label: "See the order" },
  ]);
}

const REFUND_SUBJECTS: Readonly<Record<string, string>> = {
  refunded: "Refund",
  disputed: "Disputed payment",
  failed: "Failed payment",
};

const REFUND_CAUSES: Readonly<Record<string, string>> = {
  refunded: "Your payment was refunded.",
  disputed:
    "Your payment is disputed at your bank. If the dispute is decided in our favour, the credits are added again.",
  failed: "Your payment did not arrive after all.",
};

function orderFacts(
  { order_id: id, credits, amount_cents: cents }: EventData["order.paid"],
  day: readonly [string, string],
): readonly (readonly [string, string])[] {
  return [["Order", id], day, ["Credits", formatNumber(credits)], ["Price", formatDollars(cents)]];
}

const DISABLED_CAUSES: Readonly<Record<EventData["webhook.disabled"]["reason"], string>> = {
  gone: "It answered 410 Gone, which says that it wants no more.",
  failing: "Every delivery to it has failed for five days.",
  credential_ended: "The API key, app or agent that made it has no access any more.",
};

/** The mail that a call waits for a yes; null where the person was mailed about the same key, app or agent within the hour. */
export function approvalRequested(
  { to, siteUrl }: Addressed,
  approval: EventData["spending.approval_requested"],
): Mail | null {
  const { approval_id: id, credential_name: name, operation, credits, is_mailed: isMailed } = approval;
  if (!isMailed) return null;
  const cost = formatCount(credits, "credit");
  const parts = [
    `“${lineOf(name)}” wants to spend ${cost} of your Beckon account by the operation ${operation}. That is more than it may spend without your yes, so nothing was done yet.`,
    "You can say yes or no within 24 hours. Without an answer, nothing happens. If it asks for more in the next hour, you find that on the same page, and no further mail comes.",
    { link: `${siteUrl}/dashboard/approvals/${id}`, label: "See what it would do" },
  ];
  const footer = "We send this to whoever set the limit above which a call needs a yes.";
  return mailOf({ to, subject: `Approve ${cost}?`, parts, footer, settings: `${siteUrl}${NOTICES_PATH}` });
}

/** The mail that a webhook gets nothing more. It cannot be switched off. */
export function webhookDisabled({ to, siteUrl }: Addressed, { origin, reason }: EventData["webhook.disabled"]): Mail {
  const subject = `Your webhook to ${cut(origin, 80)} was disabled`;
  const parts = [
    `We no longer send events to your webhook at ${cut(origin, 200)}. ${DISABLED_CAUSES[reason]}`,
    "Once it works again, make it active and send it what it has missed: the documents say how.",
    { link: `${siteUrl}/dashboard/webhooks`, label: "How to make it active" },
  ];
  const footer = "We send this to the owner of every webhook that ends, since its receiver learns nothing more.";
  return mailOf({ to, subject, parts, footer, settings: `${siteUrl}${NOTICES_PATH}` });
}

/** A mail of a kind that its reader may switch off. */
export function switchable(
  { to, siteUrl, unsubscribe }: Unsubscribable,
  kind: NoticeKind,
  subject: string,
  parts: readonly LetterPart[],
): Mail {
  const footer = `You get this because notices of the kind “${NOTICE_KINDS[kind].label}” are on for your Beckon account.`;
  return mailOf({ to, subject, parts, footer, unsubscribe, settings: `${siteUrl}${NOTICES_PATH}` });
}

/** A name as far as it fits a line; anybody who may submit URLs, or registers an app, chooses it. */
function lineOf(name: string): string {
  const line = name.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
  if (!hasVisible(line)) return "Without a name";
  return line.length > 60 ? `${cut(line, 59)}…` : line;
}
