import { beforeEach, test } from "vitest";
import { sampleOf } from "../support/checks/fuzz-runs.ts";
import { allTests } from "../support/service/each-test.ts";
import { type HeldTimers, holdTimers } from "../support/service/held-timers.ts";
import { expectBooksOfFinalChain, openLab, playFault, RPC_LIMIT } from "./fault-lab.ts";

/** One node misbehaves in each of its methods, at each moment of a payment. */

const lab = allTests(() => openLab());
let timers: HeldTimers;
beforeEach(() => {
  timers = holdTimers(RPC_LIMIT);
});
const timeOut = () => timers.end(RPC_LIMIT);

/** What the service asks of a node to find a payment. */
const METHODS = ["eth_getBlockByNumber", "eth_call", "eth_getLogs", "eth_getTransactionReceipt"] as const;
const UNUSABLE = ["slow:6s", "empty", "null", "object", "no-header", "limit", "cut"] as const;
const MISLEADING = ["late:1s", "late:6s", "late:20s", "late:120s", "heights"] as const;

function product(methods: readonly string[], kinds: readonly string[]): string[] {
  return methods.flatMap((method) => kinds.map((kind) => `${method} ${kind}`));
}

const BLINDING = [...product(METHODS, UNUSABLE), ...product(["eth_chainId"], [...UNUSABLE, "chain-id"])];

test.each(sampleOf(BLINDING, 3))("law: nothing is lost or given for nothing, nor known while it lasts: %s", (text) =>
  playFault(lab, text, { meanwhile: "blind", timeOut }),
);

test.each(sampleOf(product(METHODS, MISLEADING), 3))("law: nothing is lost or given for nothing: %s", (text) =>
  playFault(lab, text),
);

test("law: what the final chain shows is credited, and nothing else", () => expectBooksOfFinalChain(lab));
