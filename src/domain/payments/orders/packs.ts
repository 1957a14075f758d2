import { Refusal } from "../../../platform/errors/errors.ts";

/** The packs of credits that are on sale: the only table of prices. */
export const PACKS = [
  { id: "basic", name: "Basic", credits: 150, amountCents: 999, perLink: "$0.067" },
  { id: "pro", name: "Pro", credits: 500, amountCents: 2999, perLink: "$0.060" },
  { id: "premium", name: "Premium", credits: 1100, amountCents: 5999, perLink: "$0.055" },
  { id: "agency", name: "Agency", credits: 3000, amountCents: 14999, perLink: "$0.050" },
] as const;

export type Pack = (typeof PACKS)[number];
export const PACK_IDS = PACKS.map(({ id }) => id);
export const POPULAR: Pack["id"] = "pro";
export const CURRENCY = "usd";

/** What a pack costs in base units of a dollar token with six decimals. */
export function baseUnitsOf({ amountCents }: Pack): string {
  return `${amountCents}0000`;
}

/** @throws Refusal unknown_pack */
export function packOf(id: string): Pack {
  const pack = PACKS.find((one) => one.id === id);
  if (pack) return pack;
  throw new Refusal("unknown_pack", `There is no such pack. On sale are ${PACK_IDS.join(", ")}.`);
}

/** What pages call a pack, which may no longer be on sale. */
export function packName(id: string): string {
  return PACKS.find((pack) => pack.id === id)?.name ?? id;
}
