import { test } from "vitest";
import { sampleOf } from "../support/checks/fuzz-runs.ts";
import { allTests } from "../support/service/each-test.ts";
import { expectBooksOfFinalChain, openLab, playFault } from "./fault-lab.ts";

/** Two or three nodes of one chain, of which one or two misbehave. */

const lab = allTests(() => openLab({ nodes: 3 }));
const ofTwo = allTests(() => openLab({ nodes: 2 }));

test.each(
  sampleOf(
    [
      "* cut",
      "* second",
      "* late:20s",
      "eth_chainId chain-id",
      "eth_call zero",
      "eth_getLogs empty",
      "eth_getBlockByNumber heights",
      "* forked:3b",
    ] as const,
    4,
  ),
)("law: one of three nodes is not missed: %s", (text) => playFault(lab, text, { meanwhile: "works" }));

test.each(sampleOf(["* cut", "* second", "eth_chainId chain-id", "eth_getLogs empty"] as const, 2))(
  "law: nothing is lost or given for nothing, nor known while two of three: %s",
  (text) => playFault(lab, text, { faulty: 2, meanwhile: "blind" }),
);

test.each(sampleOf(["* late:20s", "eth_getBlockByNumber heights"] as const, 1))(
  "law: nothing is lost or given for nothing with two of three: %s",
  (text) => playFault(lab, text, { faulty: 2 }),
);

test.each(sampleOf(["* cut", "eth_chainId chain-id"] as const, 1))("law: one of two nodes is not missed: %s", (text) =>
  playFault(ofTwo, text, { meanwhile: "works" }),
);

test.each(sampleOf(["* forked:3b", "* second", "* late:20s", "eth_getLogs empty"] as const, 2))(
  "law: nothing is lost or given for nothing with one of two: %s",
  (text) => playFault(ofTwo, text),
);

test("law: what the final chain shows is credited, and nothing else", async () => {
  await expectBooksOfFinalChain(lab);
  await expectBooksOfFinalChain(ofTwo);
});
