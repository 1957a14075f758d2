import type { Received, Reply } from "./fake.ts";
import type { StripeAccount, StripeEvent } from "./stripe-account.ts";

/** The payment page: it has a button for each outcome, and sends the event to the webhook. */
export async function payPage(account: StripeAccount, { path, method, body }: Received): Promise<Reply> {
  const id = path.slice("/pay/".length);
  const session = account.sessions.get(id);
  if (!session) return { status: 404, body: "There is no such page." };
  if (method !== "POST") return html(pageOf(session.status, session.paymentStatus, session.amount));
  const act = ACTS[new URLSearchParams(body).get("act") ?? ""];
  if (!act) return { status: 400, body: "There is no such button." };
  const event = act(account, id);
  if (account.webhook) await account.deliver(event);
  return { status: 303, headers: { Location: session.successUrl } };
}

const ACTS: Readonly<Record<string, (account: StripeAccount, id: string) => StripeEvent>> = {
  pay: (account, id) => account.pay(id),
  "pay later": (account, id) => account.payLater(id),
  arrive: (account, id) => account.arrive(id),
  bounce: (account, id) => account.bounce(id),
  refund: (account, id) => account.refund(id, account.sessions.get(id)!.amount),
  "fail refund": (account, id) => account.failRefund(id),
  dispute: (account, id) => account.dispute(id),
  win: (account, id) => account.dispute(id, "won", "closed"),
};

function pageOf(status: string, paymentStatus: string, amount: number): string {
  const names =
    status === "open"
      ? ["pay", "pay later"]
      : paymentStatus === "paid"
        ? ["refund", "fail refund", "dispute", "win"]
        : ["arrive", "bounce"];
  const buttons = names.map((name) => `<button name="act" value="${name}">${name}</button>`);
  return `<!doctype html><title>Not Stripe</title><h1>Not Stripe</h1>
<p>This stands in for the payment page of Stripe. $${(amount / 100).toFixed(2)}, ${status}, ${paymentStatus}.</p>
<form method="post">${buttons.join(" ")}</form>`;
}

function html(body: string): Reply {
  return { status: 200, headers: { "Content-Type": "text/html; charset=utf-8" }, body };
}
