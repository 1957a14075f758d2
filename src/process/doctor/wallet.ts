import { count, eq, min } from "drizzle-orm";
import { readWallet, type WalletState } from "../../domain/payments/gas.ts";
import { iso } from "../../platform/clock.ts";
import { createHttpClient } from "../../platform/http-client/http-client.ts";
import type { Instance } from "../instance.ts";
import type { Check } from "./check.ts";

/** Payments that the account should be able to pay the gas of, at today's price. */
const PAYMENTS_AHEAD = 20n;

/** Whether the account of X402_FACILITATOR_KEY can settle payments: its gas, what gas costs, and what waits. */
export async function checkWallet(instance: Instance): Promise<Check> {
  const name = "Gas";
  const http = createHttpClient(instance.config);
  const read = readWallet(instance.config, http).catch(() => UNREADABLE);
  const state = await read.finally(() => http.close());
  if (!state) return { name, ok: true, found: "this service pays none: X402_FACILITATOR_KEY is not set" };
  return { name, ...(state === UNREADABLE ? NO_ANSWER : await described(instance, state)) };
}

const UNREADABLE = "unreadable" as const;

const NO_ANSWER = {
  ok: false,
  found: "no node says how the account of X402_FACILITATOR_KEY stands",
  remedy: "Check that X402_RPC_URL answers, and that it is a node of the chain of X402_NETWORK.",
};

async function described({ db }: Instance, state: WalletState): Promise<Omit<Check, "name">> {
  const { address, balance, cost, gasPrice, cap, unmined } = state;
  const isCapped = gasPrice > cap;
  const isPoor = balance < PAYMENTS_AHEAD * cost;
  const { directPayments: t } = db.t;
  const [open] = await db.q
    .select({ count: count(), oldest: min(t.createdAt) })
    .from(t)
    .where(eq(t.state, "submitted"));
  const found = [
    `${address} holds ${coins(balance)} of the chain's coin, and a payment costs at most ${coins(cost)}`,
    `gas costs ${gwei(gasPrice)} gwei of at most ${gwei(cap)}${isCapped ? ": no payment is settled" : ""}`,
    `${unmined} transactions not mined`,
    ...(open!.oldest === null ? [] : [`${open!.count} payments on their way, the oldest since ${iso(open!.oldest)}`]),
  ];
  const remedy = isCapped
    ? "Wait until gas is cheaper, or raise X402_MAX_GAS_GWEI; docs/payments.md says by how much."
    : `Send some of the chain's own coin to ${address}: at least ${coins(PAYMENTS_AHEAD * cost)}.`;
  return { ok: !isCapped && !isPoor, found: found.join("; "), remedy };
}

/** In units of the chain's coin, of 18 decimals. */
function coins(wei: bigint): string {
  return String(Number((Number(wei) / 1e18).toPrecision(3)));
}

function gwei(wei: bigint): string {
  return String(Number((Number(wei) / 1e9).toPrecision(3)));
}
