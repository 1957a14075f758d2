import { afterAll, afterEach, beforeAll, beforeEach, test } from "vitest";
import { isOnPostgres, type TestDatabase, testDatabase } from "../support/database/database.ts";
import { DEV_ACCOUNTS } from "../support/payments/chain/accounts.ts";
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
const SENDS = "eth_sendRawTransaction";

const BY_FACILITATOR: readonly KillCell[] = [
  { fault: "ok", from: SETTLES, nth: 0, acts: false, isMoved: true },
  { fault: "* late:6s", from: "eth_getBlockByNumber", nth: 4, acts: true, isMoved: false },
  { fault: "eth_getLogs late:20s", from: SETTLES, nth: 5, acts: true, isMoved: true, nthOfRestart: 6 },
  { fault: "* acts-cut", from: SETTLES, nth: 2, acts: false, isMoved: true },
  { fault: "eth_chainId chain-id", from: SETTLES, nth: 1, acts: true, isMoved: true },
];

const BY_KEY: readonly KillCell[] = [
  { fault: "ok", from: SENDS, nth: 0, acts: false, isMoved: false },
  { fault: "eth_chainId chain-id", from: "eth_estimateGas", nth: 1, acts: true, isMoved: false },
  { fault: "eth_getLogs late:20s", from: SENDS, nth: 7, acts: true, isMoved: true, nthOfRestart: 9 },
  { fault: "* acts-cut", from: SENDS, nth: 0, acts: true, isMoved: true },
  { fault: "eth_chainId chain-id", from: SENDS, nth: 4, acts: true, isMoved: true },
];

const MODES: readonly (readonly [name: string, cells: readonly KillCell[], env: () => Record<string, string>])[] = [
  ["X402_FACILITATOR_URL", BY_FACILITATOR, () => ({ X402_FACILITATOR_URL: facilitator.url })],
  [
    "X402_FACILITATOR_KEY",
    BY_KEY,
    () => ({ X402_FACILITATOR_URL: "", X402_FACILITATOR_KEY: DEV_ACCOUNTS.facilitator.key, X402_MAX_GAS_GWEI: "100" }),
  ],
];

test.each(MODES)(
  "law: killed while its node misbehaves, a service with %s loses no payment and takes none twice",
  { timeout: 240_000 },
  async (_, cells, settledBy) => {
    const env = { ...devnet.env(), ...settledBy(), X402_RPC_URL: node.url, DATABASE_URL: database.url };
    const run = await KillRun.begin({ devnet, facilitator, node, env });
    // Faults of nodes are nothing to the database.
    for (const cell of cells) if (!isOnPostgres || cell.fault === "ok") await run.play(cell);
    await run.finish();
  },
);
