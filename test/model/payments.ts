import { lt } from "drizzle-orm";
import fc from "fast-check";
import { HOUR, MINUTE } from "../../src/platform/clock.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import { history } from "./arbitrary-history.ts";
import { actOn, deliver, lose, open } from "./card-commands.ts";
import { applyChainEvent, CONDITIONS, interfere, pay, presentAgain } from "./chain-commands.ts";
import type { CommandOf, History, Step } from "./commands.ts";
import { FINALITY, Market } from "./market.ts";
import { countOutcomes, type OutcomeCounts } from "./outcome-counts.ts";
import { proveEnd, proveStep, readBooks } from "./payment-laws.ts";
import { reconcile } from "./reconcile.ts";
import { withReusedDatabases } from "./reused-databases.ts";
import { Crash } from "./world.ts";

/**
 * Runs random histories of payments, with crashes, against a whole Beckon. The laws are checked after each command, and
 * all money at the end of each history.
 * @returns how often each outcome occurred
 * @throws Error with the smallest history that breaks a law
 */
export async function runPaymentModel(options: {
  histories: number;
  seed: number;
  shrink?: boolean;
}): Promise<OutcomeCounts> {
  const totals: OutcomeCounts = {};
  const property = fc.asyncProperty(history, async (one) => {
    const counts = await play(one);
    for (const [name, count] of Object.entries({ ...counts, commands: one.steps.length, histories: 1 }))
      totals[name] = (totals[name] ?? 0) + count;
  });
  const { histories: numRuns, seed, shrink } = options;
  await withReusedDatabases(() => fc.assert(property, { numRuns, seed, endOnFailure: shrink === false }));
  return totals;
}

async function play({ steps, ...settings }: History): Promise<OutcomeCounts> {
  const market = new Market(settings);
  const { world } = market;
  await market.open();
  try {
    for (const step of steps) {
      world.crashPlan = step.crash && { ...step.crash };
      await perform(market, step);
      if (world.isDead) world.restart();
      world.crashPlan = null;
      await proveStep(market);
    }
    await settle(market);
    await proveStep(market);
    const books = await readBooks(world);
    await proveEnd(market, books);
    return await countOutcomes(market, books);
  } finally {
    await world.close();
  }
}

const EXPECTED = ["unavailable", "insufficient_credits", "payment_required", "rate_limited", "idempotency_in_flight"];

async function perform(market: Market, step: Step): Promise<void> {
  try {
    if (step.kind === "open") await open(market, step);
    else if (step.kind === "card") await actOn(market, step);
    else if (step.kind === "deliver") await deliver(market, step);
    else if (step.kind === "lose") lose(market, step);
    else if (step.kind === "processor") market.processor.isAway = step.isAway;
    else if (step.kind === "pay") await pay(market, step);
    else if (step.kind === "again") await presentAgain(market, step);
    else if (step.kind === "third party") interfere(market, step);
    else if (step.kind === "chain") applyChainEvent(market, step.event);
    else if (step.kind === "reconcile") await reconcile(market);
    else if (step.kind === "wait") await wait(market, step);
    else if (step.kind === "spend") await spend(market, step);
    else await work(market);
  } catch (thrown) {
    if (thrown instanceof Crash) return;
    if (!(thrown instanceof Refusal) || !EXPECTED.includes(thrown.code)) throw thrown;
  }
}

/** Lets time pass while the chain grows. In a long time, the reconciler runs. */
async function wait(market: Market, { minutes, condition }: CommandOf<"wait">): Promise<void> {
  applyChainEvent(market, { node: 0, condition });
  const rounds = minutes < 20 ? [] : [reconcile, reconcile];
  market.clock.pass(minutes * MINUTE);
  for (const round of [() => undefined, ...rounds]) {
    market.chain.mine(Math.min(minutes, FINALITY + 1));
    await round(market);
  }
  applyChainEvent(market, { node: 0, condition: "healthy" });
}

async function spend(market: Market, { buyer, links }: CommandOf<"spend">): Promise<void> {
  const name = `${buyer}-${market.serial++}`;
  const urls = Array.from({ length: links }, (_, index) => `https://example.com/${name}/${index}?sandbox=day_4`);
  await market.world.call("submit_urls", { urls, bing: false, yandex: false }, { account: buyer });
}

/** Runs the steps that are due. Links of an account with a negative balance must not be sent. */
async function work({ world }: Market): Promise<void> {
  const { accounts } = world.books.t;
  const rows = await world.books.q.select().from(accounts).where(lt(accounts.credits, 0));
  const debtors = rows.map(({ id }) => `/${world.accounts.indexOf(id)}-`);
  const sent = new Set(world.sent.keys());
  await world.drain();
  for (const name of world.sent.keys())
    if (!sent.has(name) && debtors.some((debtor) => name.includes(debtor)))
      throw new Error(`${name} was sent for an account below zero`);
}

/** Ends all faults, delivers all events, and lets time pass until every payment is decided. */
async function settle(market: Market): Promise<void> {
  const { processor, chain, nodes, clock } = market;
  processor.isAway = false;
  for (const node of nodes) Object.assign(node, CONDITIONS.healthy);
  chain.mine();
  clock.pass(24 * HOUR);
  processor.expireAll();
  while (processor.pendingEvents.length > 0) await deliver(market, { pendingEvents: [0], copies: 1 });
  for (let round = 0; round < 5; round++) {
    chain.mine(FINALITY + 1);
    await reconcile(market);
    clock.pass(2 * HOUR);
  }
}
