import type { Config } from "../../../platform/config/config.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { PACK_IDS, type Pack, type PackId } from "../../../platform/packs.ts";

export { PACK_IDS, PACKS, type Pack, POPULAR, packName } from "../../../platform/packs.ts";

export const CURRENCY = "usd";

/** What a pack costs in base units of a dollar token with six decimals. */
export function baseUnitsOf({ amountCents }: Pick<Pack, "amountCents">): string {
  return `${amountCents}0000`;
}

/** @throws Refusal unknown_pack */
export function isPackId(id: string): id is PackId {
  if ((PACK_IDS as readonly string[]).includes(id)) return true;
  throw new Refusal("unknown_pack", `There is no such pack. On sale are ${PACK_IDS.join(", ")}.`);
}

/** A pack as this deployment sells it. @throws Refusal unknown_pack */
export function packOf({ packs }: Pick<Config, "packs">, id: string): Pack {
  return packs.find((one) => isPackId(id) && one.id === id)!;
}
