import type { Tx } from "../../../db/engine.ts";
import type { EventRow } from "../events/events.ts";
import type { EventData, EventType } from "../events/types.ts";
import type { Unsubscribable } from "../mail/layout/notice.ts";
import type { NoticeKind } from "../mail/layout/notice-kinds.ts";
import type { Mail } from "../mail/mailer.ts";
import { approvalRequested } from "../mail/templates/approval-requested.ts";
import { connectionFailing } from "../mail/templates/connection-failing.ts";
import { creditsGranted } from "../mail/templates/credits-granted.ts";
import { creditsLow } from "../mail/templates/credits-low.ts";
import { orderPaid } from "../mail/templates/order-paid.ts";
import { orderRefunded } from "../mail/templates/order-refunded.ts";
import { shareCreated } from "../mail/templates/share-created.ts";
import { watchBudgetSpent } from "../mail/templates/watch-budget-spent.ts";
import { watchFailing } from "../mail/templates/watch-failing.ts";
import { watchHeld } from "../mail/templates/watch-held.ts";
import { watchesPaused } from "../mail/templates/watches-paused.ts";
import { webhookDisabled } from "../mail/templates/webhook-disabled.ts";
import { receiptOf } from "../payments/receipts.ts";
import { tellOfProjects } from "./digest.ts";
import { type NoticeDeps, type Recipient, recipientsOf } from "./recipients.ts";
import { unsubscribeUrl } from "./unsubscribe.ts";

/**
 * The consumer of `relayEvents` that queues the mail about events, in the transaction that takes them out of their queue. New
 * keys, apps and agents are not among them: the transaction that adds one queues its mail itself. Only an address that its
 * owner has confirmed gets any.
 */
export function noticeConsumer(deps: ConsumerDeps) {
  return async (tx: Tx, events: readonly EventRow[], now: number): Promise<void> => {
    const told = events.filter(({ type }) => NOTICES[type as EventType] !== null);
    const recipients = await recipientsOf(tx, [...new Set(told.map(({ accountId }) => accountId))]);
    for (const recipient of recipients) {
      const own = told.filter(({ accountId }) => accountId === recipient.id);
      for (const event of own) await tell(tx, deps, recipient, event);
      await tellOfPausedWatches(tx, deps, { recipient, held: own.filter(({ type }) => type === "watch.held") });
      const completed = own.filter(({ type }) => type === "project.completed");
      await tellOfProjects(tx, deps, { recipient, completed, now });
    }
  };
}

interface ConsumerDeps extends NoticeDeps {
  /** Lines that name the seller on receipts. */
  readonly seller: readonly string[];
}

/** What a mail is written from, in addition to its event. */
interface WriteContext extends Pick<ConsumerDeps, "seller"> {
  readonly tx: Tx;
  readonly recipient: Recipient;
  /** Real time of the event. */
  readonly at: number;
}

/** Null: this event is not mailed. */
type Write<Data> = (notice: Unsubscribable, data: Data, context: WriteContext) => Mail | null | Promise<Mail | null>;

interface Notice {
  /** Null: it cannot be switched off. */
  readonly kind: NoticeKind | null;
  readonly write: Write<never>;
}

const notice = <Type extends EventType>(kind: NoticeKind | null, write: Write<EventData[Type]>): Notice => ({
  kind,
  write,
});

/** The mail of each type of event; null: none is queued here; `digest`: several events share a mail. */
const NOTICES: Readonly<Record<EventType, Notice | "digest" | null>> = {
  "project.completed": "digest",
  "credits.low": notice<"credits.low">("credits", creditsLow),
  "order.paid": notice<"order.paid">("receipts", writeReceipt),
  "order.refunded": notice<"order.refunded">("receipts", (to, order, { at }) => orderRefunded(to, order, at)),
  "webhook.disabled": notice<"webhook.disabled">(null, webhookDisabled),
  "connection.failing": notice<"connection.failing">(null, connectionFailing),
  "share.created": notice<"share.created">(null, shareCreated),
  "spending.approval_requested": notice<"spending.approval_requested">(null, approvalRequested),
  "watch.held": notice<"watch.held">("watches", watchHeld),
  "watch.failing": notice<"watch.failing">("watches", watchFailing),
  "watch.budget_spent": notice<"watch.budget_spent">("watches", watchBudgetSpent),
  "watch.ran": null,
  "spending.approval_decided": null,
  "links.settled": null,
  "links.dropped": null,
  "links.crawled": null,
  "experiment.decided": null,
  "site.verified": null,
  "webhook.ping": null,
  // Mailed by the transaction that adds one.
  "agent.connected": null,
  "app.connected": null,
  "member.joined": null,
  "member.left": null,
  "key.created": null,
};

async function writeReceipt(
  notice: Unsubscribable,
  { order_id: orderId, credits }: EventData["order.paid"],
  { tx, recipient, seller }: WriteContext,
): Promise<Mail> {
  const receipt = await receiptOf(tx, { accountId: recipient.id, orderId, buyer: recipient });
  // What the operator has granted has no receipt.
  return receipt ? orderPaid(notice, receipt, seller) : creditsGranted(notice, { orderId, credits });
}

/** One mail for all watches that have paused because the account is disabled. */
async function tellOfPausedWatches(
  tx: Tx,
  deps: ConsumerDeps,
  { recipient, held }: { recipient: Recipient; held: readonly EventRow[] },
): Promise<void> {
  const watches = held
    .map(({ data }) => JSON.parse(data) as EventData["watch.held"])
    .filter(({ reason }) => reason === "account_disabled");
  if (watches.length === 0 || recipient.off.has("watches")) return;
  const unsubscribe = unsubscribeUrl(deps, { accountId: recipient.id, kind: "watches" });
  const notice = { to: recipient.email, siteUrl: deps.siteUrl, unsubscribe };
  await deps.mailer.queue(tx, watchesPaused(notice, watches));
}

async function tell(tx: Tx, deps: ConsumerDeps, recipient: Recipient, event: EventRow): Promise<void> {
  const notice = NOTICES[event.type as EventType];
  if (notice === null || notice === "digest") return;
  if (notice.kind !== null && recipient.off.has(notice.kind)) return;
  const { siteUrl, seller, mailer } = deps;
  const unsubscribe = notice.kind === null ? "" : unsubscribeUrl(deps, { accountId: recipient.id, kind: notice.kind });
  const data = JSON.parse(event.data) as never;
  const context = { tx, recipient, seller, at: event.at };
  const mail = await notice.write({ to: recipient.email, siteUrl, unsubscribe }, data, context);
  if (mail) await mailer.queue(tx, mail);
}
