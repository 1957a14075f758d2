import { describe, test } from "vitest";
import { allTests } from "../support/service/each-test.ts";
import { expectBooksOfFinalChain, openLab, playFault } from "./fault-lab.ts";
import { SEND_OVER } from "./send-over-surfaces.ts";

/** A node misbehaves for payments that come over the other surfaces. */

const lab = allTests(() => openLab());

describe.each(["MCP", "A2A"] as const)("over %s", (surface) => {
  const send = SEND_OVER[surface];

  test.each(["* cut", "eth_getLogs empty", "eth_chainId chain-id + * second"] as const)(
    "law: nothing is lost or given for nothing, nor known while it lasts: %s",
    (text) => playFault(lab, text, { send, meanwhile: "blind" }),
  );

  test.each(["eth_getLogs late:20s", "* late:6s"] as const)("law: nothing is lost or given for nothing: %s", (text) =>
    playFault(lab, text, { send }),
  );
});

test("law: what the final chain shows is credited, and nothing else", () => expectBooksOfFinalChain(lab));
