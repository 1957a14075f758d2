import { receiveCardEvent } from "../../src/domain/payments/cards/receive-event.ts";
import { orderOf } from "../../src/domain/payments/orders/orders.ts";
import { PACKS } from "../../src/domain/payments/orders/prices.ts";
import { DAY } from "../../src/platform/clock.ts";
import type { Of } from "./commands.ts";
import type { Letter } from "./fake-card-processor.ts";
import { type Market, QUIET } from "./market.ts";

/** Asks for a payment page. */
export async function open(market: Market, { buyer, pack, key }: Of<"open">): Promise<void> {
  const { world, processor, openers, answered, clock } = market;
  const before = processor.pages.length;
  const { id: packId } = PACKS[pack]!;
  const name = key === null ? undefined : `${buyer}/${packId}/${key}`;
  const answer = await world.call("buy_credits", { pack: packId }, { account: buyer, key: name }).finally(() => {
    // Whatever became of the call: a page that was made is this buyer's.
    for (const { orderId } of processor.pages.slice(before)) openers.set(orderId, buyer);
  });
  const { id } = answer.order as { id: string };
  market.promised.add(id);
  if (name === undefined) return;
  const first = answered.get(name);
  const isRemembered = first !== undefined && clock.now() - first.at < DAY;
  if (isRemembered && first.id !== id) throw new Error(`a repeated call opened a second order: ${id}`);
  if (!isRemembered) answered.set(name, { id, at: clock.now() });
}

/** Nobody knows a page before its order is stored. */
export async function actOn({ world, processor, openers }: Market, { page: number, acts }: Of<"card">): Promise<void> {
  const page = processor.pages[number % Math.max(1, processor.pages.length)];
  if (!page) return;
  const { orderId } = page;
  if (await orderOf(world.books, world.accounts[openers.get(orderId)!]!, orderId)) processor.act(page, acts);
}

/** Letters that come at once, each perhaps more than once; what is not acknowledged comes again. */
export async function deliver({ world, processor }: Market, { letters: chosen, copies }: Omit<Of<"deliver">, "kind">) {
  const { letters } = processor;
  const sent = new Set(chosen.map((number) => letters[number]).filter((letter) => letter !== undefined));
  const results = await Promise.allSettled(
    [...sent]
      .flatMap((letter) => Array<Letter>(copies).fill(letter))
      .map(async (letter) => {
        await receiveCardEvent({ ...world.process, log: QUIET }, letter.body, processor.signature(letter));
        if (letters.includes(letter)) letters.splice(letters.indexOf(letter), 1);
      }),
  );
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/** A letter that never arrives. */
export function lose({ processor: { letters } }: Market, { letter }: Of<"lose">): void {
  if (letters[letter]?.mayBeLost) letters.splice(letter, 1);
}
