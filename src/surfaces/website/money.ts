import { PACKS } from "../../domain/payments/orders/prices.ts";

/** "$29.99" */
export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

/** Of a pack that may no longer be on sale. */
export function packName(id: string): string {
  return PACKS.find((pack) => pack.id === id)?.name ?? id;
}
