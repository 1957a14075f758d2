import { test } from "vitest";
import { sampleOf } from "../support/checks/fuzz-runs.ts";
import { allTests } from "../support/service/each-test.ts";
import { expectBooksOfFinalChain, openLab, playFault } from "./fault-lab.ts";

/** The same where a transfer has to be three blocks deep. */

const lab = allTests(() => openLab({ confirmations: 3 }));

const BLINDING = [
  "eth_chainId chain-id",
  "eth_chainId chain-id + * second",
  "* second",
  "* cut",
  "eth_call null",
  "eth_getLogs empty",
  "eth_getTransactionReceipt null",
] as const;

test.each(sampleOf(BLINDING, 2))("law: nothing is lost or given for nothing, nor known while it lasts: %s", (text) =>
  playFault(lab, text, { meanwhile: "blind" }),
);

const MISLEADING = [
  "eth_getBlockByNumber late:6s",
  "eth_getBlockByNumber heights",
  "eth_call late:120s",
  "eth_getLogs late:20s",
  "* late:6s",
  "* late:120s",
  "* heights",
] as const;

test.each(sampleOf(MISLEADING, 2))("law: nothing is lost or given for nothing: %s", (text) => playFault(lab, text));

test("law: what the final chain shows is credited, and nothing else", () => expectBooksOfFinalChain(lab));
