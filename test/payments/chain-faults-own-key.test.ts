import { afterEach, beforeEach, test, vi } from "vitest";
import { allTests } from "../support/service/each-test.ts";
import { holdTimers } from "../support/service/held-timers.ts";
import { expectBooksOfFinalChain, openLab, playFault } from "./fault-lab.ts";

/** A node misbehaves for a service that settles by itself, with X402_FACILITATOR_KEY. */

/** After which the wallet goes on by itself, in ms (src/domain/payments/direct/facilitator/while-busy.ts). */
const UPKEEP_PAUSES = [2_000, 4_000, 8_000, 15_000];

const lab = allTests(() => openLab({ ownKey: true }));
beforeEach(() => void holdTimers(...UPKEEP_PAUSES));
afterEach(() => void vi.useRealTimers());

test.each([
  "eth_getLogs empty",
  "eth_getTransactionReceipt null",
  "eth_chainId chain-id",
  "eth_chainId chain-id + * second",
  "* cut",
] as const)("law: nothing is lost or given for nothing, nor known while it lasts: %s", (text) =>
  playFault(lab, text, { meanwhile: "blind" }),
);

test.each([
  "eth_getLogs late:20s",
  "* late:20s",
  "* late:120s",
  "* heights",
  "* fees:10x",
  "* fees:1000x",
  "eth_getTransactionCount late:20s",
  "eth_sendRawTransaction acts-cut",
  "eth_sendRawTransaction null",
] as const)("law: nothing is lost or given for nothing: %s", (text) => playFault(lab, text));

test("law: what the final chain shows is credited, and nothing else", () => expectBooksOfFinalChain(lab));
