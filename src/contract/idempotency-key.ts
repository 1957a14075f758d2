import type { IdempotencyKey } from "../domain/calls/idempotency-keys.ts";
import { Refusal } from "../platform/errors/errors.ts";
import type { Principal } from "../platform/principal.ts";
import { SIZES } from "../platform/sizes.ts";
import { hasControl, isStorable } from "../platform/text.ts";
import { type AnyOperation, isIdempotent } from "./operation.ts";

interface KeyedCall {
  readonly operation: AnyOperation;
  readonly principal: Principal | null;
  readonly idempotencyKey?: string | undefined;
}

/**
 * The idempotency key of a call; null where it has none, or none is used.
 * @throws Refusal invalid_request
 */
export function idempotencyKeyOf({ operation, principal, idempotencyKey }: KeyedCall): IdempotencyKey | null {
  if (idempotencyKey === undefined || !isIdempotent(operation) || !principal) return null;
  if (
    idempotencyKey === "" ||
    idempotencyKey.length > SIZES.idempotencyKey ||
    hasControl(idempotencyKey) ||
    !isStorable(idempotencyKey)
  ) {
    throw new Refusal(
      "invalid_request",
      "The idempotency key must be 1 to 255 characters, without control characters.",
      {
        issues: [{ path: "idempotency_key", message: "1 to 255 characters, without control characters" }],
      },
    );
  }
  return { accountId: principal.accountId, operation: operation.name, key: idempotencyKey };
}
