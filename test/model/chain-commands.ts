import { PACKS } from "../../src/domain/payments/orders/packs.ts";
import { MINUTE } from "../../src/platform/clock.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import { authorizationOf } from "../support/payments/memory-facilitator.ts";
import { asHeader, MemoryWallet, type SignedFields } from "../support/payments/memory-wallet.ts";
import type { ChainEvent, CommandOf, Flaw, NodeCondition, Service } from "./commands.ts";
import { BUYERS, type Market, type SignedPayment } from "./market.ts";
import { reconcile } from "./reconcile.ts";

/** Signs a new payment and pays with it. */
export async function pay(
  market: Market,
  { buyer, pack, flaw, facilitator, meanwhile }: CommandOf<"pay">,
): Promise<void> {
  const payment = sign(market, buyer, pack, flaw);
  market.meanwhile = async () => {
    if (meanwhile === "nap") market.clock.pass(3 * MINUTE);
    if (meanwhile === "reconcile" || meanwhile === "nap") await reconcile(market);
    if (meanwhile === "rival") await present(market, payment, (buyer + 1) % BUYERS, pack);
    if (meanwhile === "rush") submitAsThirdParty(market, payment);
    if (meanwhile === "reorganise") applyChainEvent(market, { reorganise: 1, fate: "waits again" });
    if (meanwhile && isCondition(meanwhile)) applyChainEvent(market, { node: 0, condition: meanwhile });
  };
  market.frontRun = meanwhile === "front-run";
  await withFacilitator(market, facilitator, () => present(market, payment, buyer, pack));
}

/** Presents an earlier payment again, by any buyer and perhaps several times at once. */
export async function presentAgain(market: Market, step: CommandOf<"again">): Promise<void> {
  const payment = market.payments[step.payment % Math.max(1, market.payments.length)];
  if (!payment) return;
  const pack = step.isOtherPack ? 1 - payment.pack : payment.pack;
  await withFacilitator(market, step.facilitator, async () => {
    const copies = Array.from({ length: step.copies }, () => present(market, payment, step.buyer, pack));
    const results = await Promise.allSettled(copies);
    for (const result of results) if (result.status === "rejected") throw result.reason;
  });
}

/** A third party that has seen an authorization submits it to the chain, or its payer cancels it. */
export function interfere(market: Market, { payment: number, act }: CommandOf<"third party">): void {
  const payment = market.payments[number % Math.max(1, market.payments.length)];
  if (payment && act === "rush") submitAsThirdParty(market, payment);
  if (!payment || act === "rush") return;
  const { from, nonce } = authorizationOf(payment.signed);
  market.chain.submit({ call: "cancelAuthorization", from, nonce });
}

export function applyChainEvent(market: Market, event: ChainEvent): void {
  const { chain, nodes } = market;
  if (event === "mine") chain.mine();
  else if ("node" in event) Object.assign(nodes[event.node % nodes.length]!, CONDITIONS[event.condition]);
  else {
    market.hasReorganised = true;
    chain.reorganise(event.reorganise, event.fate);
  }
}

const HEALTHY = { isAway: false, lag: 0, logLag: 0, isOfAnotherChain: false };

/** Number of blocks that a node is behind: more than a call waits for. */
const LATE = 20;

export const CONDITIONS: Readonly<Record<NodeCondition, typeof HEALTHY>> = {
  healthy: HEALTHY,
  away: { ...HEALTHY, isAway: true },
  behind: { ...HEALTHY, lag: LATE },
  "late logs": { ...HEALTHY, logLag: 1_000 },
  "another chain": { ...HEALTHY, isOfAnotherChain: true },
};

function isCondition(text: string): text is NodeCondition {
  return Object.hasOwn(CONDITIONS, text);
}

function sign(market: Market, buyer: number, pack: number, flaw: Flaw | null): SignedPayment {
  const wallet = flaw === "no funds" ? new MemoryWallet(`poor ${market.payments.length}`) : market.wallet(buyer);
  const requirements = market.requirements(pack);
  const now = market.clock.now();
  const seconds = Math.floor(now / 1000);
  const fields: Partial<Record<Flaw, Partial<SignedFields>>> = {
    value: { value: String(BigInt(requirements.amount) - 1n) },
    recipient: { to: market.wallet(buyer).address },
    expired: { validBefore: String(seconds) },
    long: { validBefore: String(seconds + 100_000) },
  };
  const honest = wallet.pay(requirements, now, flaw ? fields[flaw] : {});
  const forged = `0x${"00".repeat(65)}`;
  const signed = flaw === "signature" ? { ...honest, payload: { ...honest.payload, signature: forged } } : honest;
  const payment = { signed, pack, told: [], presenting: [] as number[], takers: null, isRefused: false };
  market.payments.push(payment);
  return payment;
}

/** Submits a payment as a third party, if it is in the journal: an earlier transfer could not be credited to anybody. */
function submitAsThirdParty({ chain }: Market, { signed, takers }: SignedPayment): void {
  if (takers) chain.submit({ call: "transferWithAuthorization", authorization: authorizationOf(signed) });
}

/** Runs some work while the facilitator behaves in one way. */
async function withFacilitator(market: Market, service: Service, work: () => Promise<void>): Promise<void> {
  const { facilitator, chain } = market;
  facilitator.isSilent = service === "silent";
  facilitator.behaviour = service === "late" || service === "silent" ? "honest" : service;
  market.isSlow = service === "late";
  chain.automine = !market.isSlow;
  try {
    await work();
  } finally {
    facilitator.behaviour = "honest";
    facilitator.isSilent = false;
    market.isSlow = false;
    chain.automine = true;
    market.meanwhile = null;
    market.frontRun = false;
  }
}

/** Codes with which a payment may be refused. */
const REFUSALS = ["payment_invalid", "idempotency_in_flight", "settlement_pending", "unavailable", "rate_limited"];

async function present(
  { world, promised }: Market,
  payment: SignedPayment,
  buyer: number,
  pack: number,
): Promise<void> {
  const isKnown = payment.takers !== null;
  const presented = { scheme: "x402", text: asHeader(payment.signed) } as const;
  payment.presenting.push(buyer);
  try {
    const { order } = await world.call("pay_direct", { pack: PACKS[pack]!.id }, { account: buyer, payment: presented });
    const { id: orderId } = order as { id: string };
    promised.add(orderId);
    payment.told.push({ buyer, pack, what: "paid", isHandedOver: true, orderId });
  } catch (thrown) {
    if (!(thrown instanceof Refusal) || !REFUSALS.includes(thrown.code)) throw thrown;
    if (thrown.code === "unavailable" && isKnown)
      throw new Error("unavailable says that nothing was submitted, but the payment had been");
    const isHandedOver = payment.takers !== null;
    payment.told.push({ buyer, pack, what: thrown.code, isHandedOver });
  } finally {
    payment.presenting.splice(payment.presenting.indexOf(buyer), 1);
  }
}
