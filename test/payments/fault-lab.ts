import { expect } from "vitest";
import { faultsOf, faultyNode } from "../support/payments/chain/faulty-node.ts";
import { type Devnet, startDevnet } from "../support/payments/direct-service.ts";
import type { Buyer, Stand } from "./buyer.ts";
import { before, cutAt, type Fault } from "./fault-proxy.ts";
import { SEND_OVER, type Send } from "./send-over-surfaces.ts";
import { openShop, type Shop } from "./shop.ts";
import { type TestChain, testChain } from "./test-chain.ts";
import type { Payment } from "./wallet.ts";

/** A shop, and a second chain with the same id, the same contracts and as many blocks. */
export interface FaultLab {
  readonly shop: Shop;
  readonly second: Devnet;
  readonly secondChain: TestChain;
  readonly confirmations: number;
  /** All who have bought, for the look at the end. */
  readonly customers: Customer[];
  close(): Promise<void>;
}

/** A buyer with one payment, which is not sent otherwise than these tests say. */
export interface Customer {
  readonly name: string;
  readonly buyer: Buyer;
  readonly payment: Payment;
}

export async function openLab({ confirmations = 1, nodes = 1 } = {}): Promise<FaultLab> {
  const shop = await openShop({ confirmations, nodes, finalDepth: FINAL_DEPTH });
  const second = await startDevnet({ finalDepth: FINAL_DEPTH });
  // A node that is late by two minutes still shows a chain on which the token stands.
  await grow(shop, 15, 10);
  return {
    shop,
    second,
    confirmations,
    secondChain: testChain(second),
    customers: [],
    async close() {
      await shop.close();
      await second.stop();
    },
  };
}

/** A block with so many above it is final. An anvil takes the longer for a block the more it has. */
const FINAL_DEPTH = 8;
/** More blocks than one takes to be final. */
export const FINAL = FINAL_DEPTH + 2;
/** More than two looks have to be apart before credits are taken back. */
export const APART = 4;

export const PAID = { onChain: 9_990_000n, credits: 150, orders: ["paid"] };
export const NOTHING = { onChain: 0n, credits: 0, orders: [] };

interface Ways {
  /** Default: REST. */
  readonly send?: Send;
  /** How many of the nodes misbehave; default: 1. */
  readonly faulty?: number;
  /** `works`: what is sent while the fault lasts is paid at once. `blind`: nothing is credited then. */
  readonly meanwhile?: "works" | "blind" | undefined;
  /** Ends what waits for an answer of a node: called in place of the seconds that an answer is late. */
  readonly timeOut?: () => void;
}

/** How long the service waits for one answer of a node, in ms (src/domain/payments/direct/chain/evm-rpc.ts). */
export const RPC_LIMIT = 5_000;

/**
 * Plays a fault at four moments of four payments at once: before the claim, after the hand-over, at the credit, at the
 * final look; and for a fifth payment that moves on the second chain only, where the fault has to do with that.
 */
export async function playFault(lab: FaultLab, text: string, ways: Ways = {}): Promise<void> {
  const { shop } = lab;
  const { send = SEND_OVER.REST, faulty = 1, meanwhile, timeOut } = ways;
  const [first, handedOver, landing, credited] = await Promise.all([
    customerOf(lab, "before the claim"),
    customerOf(lab, "after the hand-over"),
    customerOf(lab, "at the credit"),
    customerOf(lab, "at the final look"),
  ]);
  const elsewhere = text.includes("second") ? [await customerOf(lab, "elsewhere")] : [];
  const fault = faultyNode(faultsOf(text), {
    second: lab.second.rpcUrl,
    finalDepth: FINAL_DEPTH,
    sleep: slowly(shop, timeOut),
  });

  await buy(lab, credited);
  await grow(shop, FINAL - 2);
  shop.facilitator.fault = cutAt("/settle");
  for (const { buyer, payment } of [landing, ...elsewhere]) expect(await send(buyer, payment)).toBe("pending");
  await grow(shop, 2);
  await shop.chain.submit(landing.payment);
  for (const one of elsewhere) await moveOnSecond(lab, one);

  shop.facilitator.fault = before("/settle", async () => setFault(shop, fault, faulty));
  const answers = [await sendDuring(send, handedOver)];
  shop.facilitator.fault = null;
  setFault(shop, fault, faulty);
  answers.push(await sendDuring(send, first));
  if (meanwhile === "works") expect.soft(answers).toEqual(["paid", "paid"]);
  for (let round = 0; round < 3; round++) {
    await shop.reconcile();
    await expectStands(credited, PAID);
    for (const one of elsewhere) await expectStands(one, NOTHING);
    await grow(shop, APART);
  }
  if (meanwhile === "blind")
    for (const { buyer } of [handedOver, landing, first]) expect.soft(await shop.creditsOf(buyer.id)).toBe(0);

  setFault(shop, null, faulty);
  await shop.pass(60);
  await shop.reconcile();
  // Nobody has asked again.
  for (const one of [handedOver, landing, credited]) await expectStands(one, PAID);
  if ((await first.buyer.stand()).onChain === 0n) await buy(lab, first);
  await expectStands(first, PAID);
  for (const one of elsewhere) await expectStands(one, NOTHING);
}

/** The time of a late answer passes on the chain and in the service, once: the others are late at the same time. */
function slowly(shop: Shop, timeOut = () => {}): (ms: number) => Promise<void> {
  let isFirst = true;
  return async (ms) => {
    const seconds = ms / 1000;
    const blocks = Math.min(seconds, 10);
    const passing = isFirst ? grow(shop, blocks, Math.floor(seconds / blocks)) : null;
    isFirst = false;
    await passing;
    if (ms > RPC_LIMIT) timeOut();
  };
}

export function setFault({ nodes }: Shop, fault: Fault | null, faulty = 1): void {
  for (const node of nodes.slice(0, faulty)) node.fault = fault;
}

export async function expectStands({ name, buyer }: Customer, stand: Stand): Promise<void> {
  expect.soft([name, await buyer.stand()]).toEqual([name, stand]);
}

/** What the final chain shows is credited, once, and nothing else. */
export async function expectBooksOfFinalChain({ shop, customers }: FaultLab): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await grow(shop, FINAL, 15);
    await shop.reconcile();
  }
  for (const { name, buyer } of customers) {
    const { onChain, credits, orders } = await buyer.stand();
    const expected = onChain === PAID.onChain ? [name, 150, "paid"] : [name, 0, undefined];
    expect.soft([name, credits, orders.find((one) => one === "paid")]).toEqual(expected);
    expect.soft(orders.length).toBeLessThan(2);
  }
  const { directPayments: t } = shop.service.db.t;
  const rows = await shop.service.db.q.select().from(t);
  expect(rows.filter(({ state }) => state !== "final" && state !== "expired")).toEqual([]);
}

/** Mines blocks, so many seconds apart, and sets the clock of the service by the chain. */
export async function grow({ devnet: { client }, service }: Shop, blocks: number, interval = 1): Promise<void> {
  await client.mine({ blocks, interval });
  const { timestamp } = await client.getBlock();
  service.clock.pass(Math.max(0, Number(timestamp) * 1000 - service.clock.now()));
}

export async function customerOf({ shop, customers }: FaultLab, name: string): Promise<Customer> {
  const buyer = await shop.buyer();
  const customer = { name, buyer, payment: await buyer.pay() };
  customers.push(customer);
  return customer;
}

/** Buys where nothing is wrong. */
export async function buy({ shop, confirmations }: FaultLab, { name, buyer, payment }: Customer): Promise<void> {
  const first = await SEND_OVER.REST(buyer, payment);
  expect.soft([name, first]).toEqual([name, confirmations === 1 ? "paid" : "pending"]);
  if (first === "paid") return;
  await grow(shop, confirmations);
  expect.soft([name, await SEND_OVER.REST(buyer, payment)]).toEqual([name, "paid"]);
}

/** A 402 says that no money has moved, and none will. */
export async function sendDuring(send: Send, { name, buyer, payment }: Customer) {
  const outcome = await send(buyer, payment);
  if (outcome === "refused") expect.soft([name, outcome, await buyer.stand()]).toEqual([name, outcome, NOTHING]);
  return outcome;
}

async function moveOnSecond({ shop, second, secondChain }: FaultLab, { buyer, payment }: Customer): Promise<void> {
  const [height, reached] = await Promise.all([shop.devnet, second].map(({ client }) => client.getBlockNumber()));
  await second.mine(Math.max(1, Number(height! - reached!)));
  await secondChain.mint(buyer.account.address, 1_000);
  await secondChain.submit(payment);
}
