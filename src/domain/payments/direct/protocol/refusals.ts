import { Refusal } from "../../../../platform/errors/errors.ts";

/** The answer while the outcome is unknown: never a 402, which would make the caller pay again. */

export function inFlight(): Refusal {
  return new Refusal(
    "idempotency_in_flight",
    "Another call is processing the same payment. Repeat the call with the same payment in a moment.",
    {},
    { "Retry-After": "2" },
  );
}

export function pending(): Refusal {
  return new Refusal(
    "settlement_pending",
    "The payment was handed over, and the chain does not show it yet. Repeat the call with the same payment; do not sign another one. It is credited as soon as it shows, also without that.",
    {},
    { "Retry-After": "5" },
  );
}

export function unavailable(): Refusal {
  return new Refusal(
    "unavailable",
    "The payment facilitator or the chain is not responding. The payment was not handed over. Repeat the call with the same payment.",
    {},
    { "Retry-After": "10" },
  );
}
