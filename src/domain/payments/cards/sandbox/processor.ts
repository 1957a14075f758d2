import { randomBytes } from "node:crypto";
import { newId } from "../../../../platform/ids.ts";
import type { PaymentDeps } from "../../orders/deps.ts";
import type { CheckoutDraft } from "../card-processor.ts";
import { readSigned, sign } from "../stripe/signature.ts";
import { describeSandboxPurchase } from "./book-order.ts";
import { eventBody, SANDBOX_PAGE } from "./event.ts";
import { expiry, type SandboxProcessor, sandboxOrderOf, stateOf } from "./payment-page.ts";

/** Takes cards without Stripe, and moves no money: a page of our own replaces Stripe's. */
export function sandboxProcessor({ db, clock, config }: PaymentDeps): SandboxProcessor {
  // Set by an operator who sends events by hand; otherwise nobody outside of this process can sign one.
  const secret = config.webhookSecret ?? randomBytes(32).toString("hex");
  const cards: SandboxProcessor = {
    method: "sandbox",
    isLive: false,
    origin: null,
    async open(_draft: CheckoutDraft) {
      // Whoever knows the address can pay, so it cannot be guessed: 160 bits.
      const reference = newId(SANDBOX_PAGE, 32);
      return { reference, url: `${config.siteUrl}/sandbox/pay/${reference}` };
    },
    sign: (body) => sign(body, secret, clock.now()),
    read: (body, signature) => readSigned(body, signature, secret, clock.now()),
    async lookUp(reference) {
      const order = await sandboxOrderOf(db, reference);
      const now = clock.now();
      if (!order || (await stateOf(db, order, now)) !== "late") return [];
      const body = eventBody(expiry(order), now);
      return [cards.read(body, cards.sign(body))];
    },
    describePurchase: describeSandboxPurchase,
  };
  return cards;
}
