/** How Stripe, and the sandbox in its place, delivers events (https://docs.stripe.com/webhooks). */
export const STRIPE_WEBHOOK = {
  path: "stripe",
  signatureHeader: "Stripe-Signature",
  pendingFundsType: "checkout.session.completed",
} as const;
