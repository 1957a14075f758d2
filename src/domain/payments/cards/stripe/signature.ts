import Stripe from "stripe";
import { SECOND } from "../../../../platform/clock.ts";
import { BadSignature } from "../card-processor.ts";
import type { CardEvent } from "../event.ts";
import { cardEventOf } from "./event.ts";

/** How old a signature may be, in seconds, and how far ahead of our clock. */
const TOLERANCE = 300;

/**
 * The event in a signed body (https://docs.stripe.com/webhooks/signature).
 * @param body the bytes as they came
 * @throws BadSignature
 */
export function readSigned(body: Buffer, header: string | undefined, secret: string, now: number): CardEvent {
  const event = cardEventOf(verified(body, header ?? "", secret, now));
  if (!event) throw new BadSignature("The body is no event.");
  return event;
}

/** The value of `Stripe-Signature` for a body. */
export function sign(body: Buffer, secret: string, now: number): string {
  const timestamp = Math.floor(now / SECOND);
  return Stripe.webhooks.generateTestHeaderString({ payload: body.toString(), secret, timestamp });
}

function verified(body: Buffer, header: string, secret: string, now: number): unknown {
  try {
    const event: unknown = Stripe.webhooks.constructEvent(body, header, secret, TOLERANCE, undefined, now);
    // The package only checks that a signature is not too old: one dated a year ahead would be valid until then.
    if (timeOf(header) - now / SECOND <= TOLERANCE) return event;
  } catch {
    // The reason is not passed on: it would help nobody but a forger.
  }
  throw new BadSignature("The body is not signed by the card processor, or was too long ago.");
}

/** The time in seconds since 1970. If there are several, the last one counts, because that one is signed. */
function timeOf(header: string): number {
  const times = header.split(",").filter((part) => part.startsWith("t="));
  return Number.parseInt(times.at(-1)?.slice(2) ?? "", 10);
}
