import { afterAll, afterEach, beforeAll, beforeEach, test } from "vitest";
import { isOnPostgres, type TestDatabase, testDatabase } from "../support/database/database.ts";
import { type Devnet, startDevnet } from "../support/payments/direct-service.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { type KillCell, KillRun } from "./kill-run.ts";

/**
 * Processes of a service, one after the other over one database. Each is killed in a payment, at a call to its
 * facilitator or to its node, which misbehaves; the next one finishes what it has left, without being asked.
 */

let database: TestDatabase;
let devnet: Devnet;
let facilitator: FaultProxy;
let node: FaultProxy;
beforeAll(async () => {
  devnet = await startDevnet();
  facilitator = await startFaultProxy(devnet.facilitator.url);
  node = await startFaultProxy(devnet.rpcUrl);
  // A node that is late by some seconds still shows a chain on which the token stands.
  await devnet.client.mine({ blocks: 40, interval: 1 });
}, 60_000);
afterAll(async () => {
  await node.close();
  await facilitator.close();
  await devnet.stop();
});
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  [facilitator.fault, node.fault] = [null, null];
  await database.drop();
});

const SETTLES = "POST /settle";

const CELLS: readonly KillCell[] = [
  { fault: "ok", from: SETTLES, nth: 0, acts: false, isMoved: true },
  { fault: "* late:6s", from: "eth_getBlockByNumber", nth: 4, acts: true, isMoved: false },
  { fault: "eth_getLogs late:20s", from: SETTLES, nth: 5, acts: true, isMoved: true, nthOfRestart: 6 },
  { fault: "* acts-cut", from: SETTLES, nth: 2, acts: false, isMoved: true },
  { fault: "eth_chainId chain-id", from: SETTLES, nth: 1, acts: true, isMoved: true },
];

test("law: killed while its node misbehaves, a service loses no payment and takes none twice", async () => {
  const env = {
    ...devnet.env(),
    X402_FACILITATOR_URL: facilitator.url,
    X402_RPC_URL: node.url,
    DATABASE_URL: database.url,
  };
  const run = await KillRun.begin({ devnet, facilitator, node, env });
  // Faults of nodes are nothing to the database.
  for (const cell of CELLS) if (!isOnPostgres || cell.fault === "ok") await run.play(cell);
  await run.finish();
}, 240_000);
