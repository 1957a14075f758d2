import { test } from "vitest";
import { allTests } from "../support/service/each-test.ts";
import { expectBooksOfFinalChain, openLab, playFault } from "./fault-lab.ts";

/** One node misbehaves, in one method, two, or all, at each moment of a payment. */

const lab = allTests(() => openLab());

/** While these last nothing can be known, so nothing is credited. */
const BLINDING = [
  "eth_chainId chain-id",
  "eth_chainId null",
  "eth_chainId object",
  "eth_getBlockByNumber null",
  "eth_getBlockByNumber object",
  "eth_getBlockByNumber empty",
  "eth_getBlockByNumber cut",
  "eth_call empty",
  "eth_call null",
  "eth_call object",
  "eth_call no-header",
  "eth_call second",
  "eth_getLogs empty",
  "eth_getLogs null",
  "eth_getLogs object",
  "eth_getLogs no-header",
  "eth_getLogs removed",
  "eth_getLogs second",
  "eth_getTransactionReceipt empty",
  "eth_getTransactionReceipt null",
  "eth_getTransactionReceipt object",
  "* limit",
  "* cut",
  "* empty",
  "* second",
  "eth_chainId chain-id + * second",
  "eth_call,eth_getLogs,eth_getTransactionReceipt second",
  "eth_getLogs empty + eth_getTransactionReceipt null",
] as const;

test.each(BLINDING)("law: nothing is lost or given for nothing, nor known while it lasts: %s", (text) =>
  playFault(lab, text, { meanwhile: "blind" }),
);

const MISLEADING = [
  "eth_getBlockByNumber late:1s",
  "eth_getBlockByNumber late:6s",
  "eth_getBlockByNumber late:120s",
  "eth_getBlockByNumber heights",
  "eth_getBlockByNumber second",
  "eth_getBlockByNumber stale",
  "eth_call late:1s",
  "eth_call late:120s",
  "eth_getLogs late:6s",
  "eth_getLogs late:20s",
  "eth_getLogs heights",
  "eth_getTransactionReceipt late:20s",
  "eth_getTransactionReceipt removed",
  "* late:1s",
  "* late:6s",
  "* late:20s",
  "* late:120s",
  "* heights",
  "* slow:1s",
  "eth_call late:6s + eth_getLogs late:120s",
  "eth_getBlockByNumber late:6s + eth_call heights",
  "eth_getBlockByNumber late:20s + eth_getLogs removed",
] as const;

test.each(MISLEADING)("law: nothing is lost or given for nothing: %s", (text) => playFault(lab, text));

test("law: what the final chain shows is credited, and nothing else", () => expectBooksOfFinalChain(lab));
