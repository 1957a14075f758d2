import { beforeEach, describe, test } from "vitest";
import { sampleOf } from "../support/checks/fuzz-runs.ts";
import { SeededRandom } from "../support/nodes/seeded-random.ts";
import { allTests } from "../support/service/each-test.ts";
import { type HeldTimers, holdTimers } from "../support/service/held-timers.ts";
import { expectBooksOfFinalChain, openLab, playFault, RPC_LIMIT } from "./fault-lab.ts";

/** One node misbehaves in all its methods, or in two, at each moment of a payment. */

const lab = allTests(() => openLab());
let timers: HeldTimers;
beforeEach(() => {
  timers = holdTimers(RPC_LIMIT);
});
const timeOut = () => timers.end(RPC_LIMIT);

/** While these last nothing can be known, so nothing is credited. */
const BLINDING = [
  "eth_call second",
  "eth_getLogs second",
  "eth_getTransactionReceipt second",
  "eth_call,eth_getLogs,eth_getTransactionReceipt second",
  "* second",
  "eth_chainId chain-id + * second",
  "eth_getLogs removed",
  "* slow:6s",
  "* slow:20s",
  "* slow:120s",
  "* empty",
  "* null",
  "* object",
  "* no-header",
  "* limit",
  "* cut",
] as const;

test.each(sampleOf(BLINDING, 5))("law: nothing is lost or given for nothing, nor known while it lasts: %s", (text) =>
  playFault(lab, text, { meanwhile: "blind", timeOut }),
);

const MISLEADING = [
  "eth_getBlockByNumber second",
  "eth_getBlockByNumber stale",
  "eth_getTransactionReceipt removed",
  "* late:1s",
  "* late:6s",
  "* late:20s",
  "* late:120s",
  "* slow:1s",
  "* heights",
  "* forked:3b",
] as const;

test.each(sampleOf(MISLEADING, 3))("law: nothing is lost or given for nothing: %s", (text) => playFault(lab, text));

const SEED = 16;

describe(`pairs of seed ${SEED}`, () => {
  const random = new SeededRandom(SEED);
  const methods = ["eth_chainId", "eth_getBlockByNumber", "eth_call", "eth_getLogs", "eth_getTransactionReceipt"];
  const kinds = ["slow:120s", "empty", "null", "no-header", "cut", "late:6s", "late:20s", "heights", "removed"];
  const pairs = Array.from({ length: 10 }, () => {
    const first = random.between(0, methods.length - 1);
    const second = (first + random.between(1, methods.length - 1)) % methods.length;
    return `${methods[first]} ${random.pick(kinds)} + ${methods[second]} ${random.pick(kinds)}`;
  });

  test.each(sampleOf(pairs, 3))("law: nothing is lost or given for nothing: %s", (text) =>
    playFault(lab, text, { timeOut }),
  );
});

test("law: what the final chain shows is credited, and nothing else", () => expectBooksOfFinalChain(lab));
