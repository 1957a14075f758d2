import { z } from "zod";
import { nearestName } from "../nearest.ts";
import { PACK_IDS, PACKS, type Pack, type PackId, packOf } from "../packs.ts";

/** Stripe takes from 50 cents to $999,999.99 (docs.stripe.com/currencies). */
const CENTS = { least: 50, most: 99_999_999 };
const MOST_CREDITS = 100_000_000;

/** JSON of the credits and the price of each pack. All four are named, so that none is sold at a price nobody has set. */
export const packs = z.string().transform((text, ctx): readonly Pack[] => {
  try {
    return packsIn(text);
  } catch (thrown) {
    ctx.addIssue({ code: "custom", message: (thrown as Error).message });
    return z.NEVER;
  }
});

/** @throws Error that says what is wrong */
function packsIn(text: string): readonly Pack[] {
  const given = objectIn(text);
  const unknown = Object.keys(given).find((id) => !(PACK_IDS as readonly string[]).includes(id));
  if (unknown !== undefined) throw new Error(`has no pack "${unknown.slice(0, 40)}"${hint(unknown, PACK_IDS)}`);
  return PACK_IDS.map((id) => packOf(id, contentOf(id, given[id])));
}

function contentOf(id: PackId, given: unknown): { credits: number; amountCents: number } {
  if (!isObject(given)) throw new Error(`must name the credits and amount_cents of ${id}, such as ${EXAMPLE}`);
  const unknown = Object.keys(given).find((name) => name !== "credits" && name !== "amount_cents");
  if (unknown !== undefined)
    throw new Error(
      `has an unknown field "${unknown.slice(0, 40)}" in ${id}${hint(unknown, ["credits", "amount_cents"])}`,
    );
  return {
    credits: within(`credits of ${id}`, given.credits, { least: 1, most: MOST_CREDITS }),
    amountCents: within(`amount_cents of ${id}`, given.amount_cents, CENTS),
  };
}

function within(name: string, value: unknown, { least, most }: { least: number; most: number }): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`${name} must be a whole number from ${least} to ${most}`);
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  const example = `must be JSON such as ${EXAMPLE}, with all of ${PACK_IDS.join(", ")}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(example);
  }
  if (!isObject(value)) throw new Error(example);
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hint(unknown: string, known: readonly string[]): string {
  const meant = nearestName(unknown, known);
  return meant === null ? `; there are ${known.join(", ")}` : `; did you mean ${meant}?`;
}

const EXAMPLE = `{"basic":{"credits":${PACKS[0].credits},"amount_cents":${PACKS[0].amountCents}},…}`;
