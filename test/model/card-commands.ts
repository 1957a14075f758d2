import { receiveCardEvent } from "../../src/domain/payments/cards/receive-event.ts";
import { orderOf } from "../../src/domain/payments/orders/orders.ts";
import { PACKS } from "../../src/domain/payments/orders/packs.ts";
import { DAY } from "../../src/platform/clock.ts";
import type { CommandOf } from "./commands.ts";
import type { PendingEvent } from "./fake-card-processor.ts";
import { type Market, QUIET } from "./market.ts";

/** Opens a payment page by buy_credits. */
export async function open(market: Market, { buyer, pack, key }: CommandOf<"open">): Promise<void> {
  const { world, processor, openers, answered, clock } = market;
  const before = processor.pages.length;
  const { id: packId } = PACKS[pack]!;
  const name = key === null ? undefined : `${buyer}/${packId}/${key}`;
  const answer = await world.call("buy_credits", { pack: packId }, { account: buyer, key: name }).finally(() => {
    // A page that was made belongs to this buyer, even if the call failed.
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

/** Acts on a page, if its order is stored: before that nobody knows its address. */
export async function actOn(
  { world, processor, openers }: Market,
  { page: number, acts }: CommandOf<"card">,
): Promise<void> {
  const page = processor.pages[number % Math.max(1, processor.pages.length)];
  if (!page) return;
  const { orderId } = page;
  if (await orderOf(world.books, world.accounts[openers.get(orderId)!]!, orderId)) processor.act(page, acts);
}

/** Delivers events at once, each perhaps several times. Those that are not acknowledged stay pending. */
export async function deliver(
  { world, processor }: Market,
  { pendingEvents: chosen, copies }: Omit<CommandOf<"deliver">, "kind">,
) {
  const { pendingEvents } = processor;
  const sent = new Set(chosen.map((number) => pendingEvents[number]).filter((event) => event !== undefined));
  const results = await Promise.allSettled(
    [...sent]
      .flatMap((event) => Array<PendingEvent>(copies).fill(event))
      .map(async (event) => {
        await receiveCardEvent({ ...world.process, log: QUIET }, event.body, processor.signature(event));
        if (pendingEvents.includes(event)) pendingEvents.splice(pendingEvents.indexOf(event), 1);
      }),
  );
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/** Drops an event, which then never arrives. */
export function lose({ processor: { pendingEvents } }: Market, { event }: CommandOf<"lose">): void {
  if (pendingEvents[event]?.mayBeLost) pendingEvents.splice(event, 1);
}
