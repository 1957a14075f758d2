import { expect, test } from "vitest";
import { faultsOf, faultyNode } from "../support/payments/chain/faulty-node.ts";
import { allTests } from "../support/service/each-test.ts";
import { withFailing } from "./failing-database.ts";
import { customerOf, expectBooksOfFinalChain, expectStands, openLab, PAID, setFault } from "./fault-lab.ts";
import { before } from "./fault-proxy.ts";

/** A call or the reconciler ends between two of its steps, while the node misbehaves too. */

const lab = allTests(() => openLab());
/** Longer than anybody's lease on a payment, and shorter than its window. */
const LEASE_SECONDS = 130;

test.each([
  ["* late:6s", 3],
  ["* late:6s", 4],
  ["eth_getLogs empty", 3],
  ["eth_getLogs empty", 4],
  ["* cut", 3],
  ["* cut", 4],
] as const)("law: %s, and transaction %i of the call fails: what was paid is credited, once", async (text, nth) => {
  const { shop } = lab;
  const one = await customerOf(lab, text);
  const { db } = shop.service;
  shop.facilitator.fault = before("/settle", async () => setFault(shop, faultyNode(faultsOf(text))));
  const { status, headers } = await withFailing(db, nth, () => one.buyer.send(one.payment));
  shop.facilitator.fault = null;
  expect([500, 503, 200]).toContain(status);
  expect(headers.get("payment-required")).toBeNull();
  await shop.pass(LEASE_SECONDS);
  for (let failing = 0; failing < 3; failing++)
    await withFailing(db, failing, () => shop.reconcile().catch(() => undefined));
  setFault(shop, null);
  await shop.pass(LEASE_SECONDS);
  await shop.reconcile();
  if ((await one.buyer.stand()).onChain > 0n) await expectStands(one, PAID);
  shop.service.errors.length = 0;
});

test("law: what the final chain shows is credited, and nothing else", () => expectBooksOfFinalChain(lab));
