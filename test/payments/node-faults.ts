import { expect } from "vitest";
import { type Fault, says } from "./fault-proxy.ts";
import type { Shop } from "./shop.ts";

/** Faults of one call of the node, or of all calls from it on. */
export const NODE_FAULTS: readonly (readonly [name: string, fault: Fault, isLasting: boolean])[] = [
  ["is cut off", async () => "cut", false],
  ["is cut off and stays away", async () => "cut", true],
  ["acts, and is cut off before it says so", ({ pass }) => pass().then(() => "cut" as const), false],
  ["answers with an error", async ({ body }) => says(failed(body)), false],
  ["answers null", async ({ body }) => says({ jsonrpc: "2.0", id: idIn(body), result: null }), false],
];

const PAID = { onChain: 9_990_000n, credits: 150, orders: ["paid"] };
const NOTHING = { onChain: 0n, credits: 0, orders: [] };

/**
 * Repeats a purchase with a fault at each of its calls of the node. A payment that was submitted may be answered only with
 * 200 or 503. The same payment, sent again, is credited once.
 */
export async function tryEveryMoment(shop: Shop, fault: Fault, isLasting: boolean): Promise<void> {
  const calls = await callsOfAPurchase(shop);
  expect(calls).toBeGreaterThan(5);
  for (let nth = 0; nth < calls; nth++) {
    const buyer = await shop.buyer();
    const payment = await buyer.pay();
    let asked = 0;
    shop.rpc.fault = (request) => {
      const isHit = isLasting ? asked >= nth : asked === nth;
      asked += 1;
      return isHit ? fault(request) : request.pass();
    };
    const { status, code, reason } = await buyer.send(payment);
    shop.rpc.fault = null;
    const moment = { nth, status, code, reason };
    if (status === 402) expect([moment, await buyer.stand()]).toEqual([moment, NOTHING]);
    else expect([200, 503], JSON.stringify(moment)).toContain(status);
    await shop.reconcile();
    const again = await buyer.send(payment);
    expect([moment, again.status]).toEqual([moment, 200]);
    expect([moment, await buyer.stand()]).toEqual([moment, PAID]);
  }
}

async function callsOfAPurchase(shop: Shop): Promise<number> {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  const before = shop.rpc.asked.length;
  expect((await buyer.send(payment)).status).toBe(200);
  return shop.rpc.asked.length - before;
}

/** The id of a JSON-RPC call. */
export function idIn(body: string): number {
  return JSON.parse(body).id;
}

export function failed(body: string) {
  return { jsonrpc: "2.0", id: idIn(body), error: { code: -32_603, message: "internal error" } };
}
