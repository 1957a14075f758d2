import { formatDollars, formatUnitPrice } from "./format.ts";

/** A pack of credits as it is sold. */
export interface Pack {
  readonly id: PackId;
  readonly name: string;
  readonly credits: number;
  readonly amountCents: number;
  /** What it costs, for people. */
  readonly price: string;
  /** What one of its credits costs, for people. */
  readonly perLink: string;
}

/** The packs of the specification: what is sold where the setting PACKS does not say otherwise. */
export const PACKS = [
  packOf("basic", { credits: 150, amountCents: 999 }),
  packOf("pro", { credits: 500, amountCents: 2999 }),
  packOf("premium", { credits: 1100, amountCents: 5999 }),
  packOf("agency", { credits: 3000, amountCents: 14999 }),
] as const satisfies readonly Pack[];

export const PACK_IDS = ["basic", "pro", "premium", "agency"] as const;
export type PackId = (typeof PACK_IDS)[number];

export function packOf(id: PackId, { credits, amountCents }: Pick<Pack, "credits" | "amountCents">): Pack {
  const price = formatDollars(amountCents);
  return { id, name: packName(id), credits, amountCents, price, perLink: formatUnitPrice(amountCents / credits / 100) };
}

/** What pages call a pack, which may be one of an earlier version. */
export function packName(id: string): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
}

/** The pack that most buyers take, as pages say. */
export const POPULAR: PackId = "pro";

/** The smallest pack that has so many credits, or else the largest. @param packs what is sold, in any order */
export function packFor<P extends Pick<Pack, "credits">>(packs: readonly P[], credits: number): P {
  const bySize = packs.toSorted((one, other) => one.credits - other.credits);
  return bySize.find((pack) => pack.credits >= credits) ?? bySize.at(-1)!;
}
