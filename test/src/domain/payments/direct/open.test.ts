import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { loadPayments } from "../../../../../src/domain/payments/open.ts";
import { type Config, readConfig } from "../../../../../src/platform/config/config.ts";
import { type FaultProxy, startFaultProxy } from "../../../../payments/fault-proxy.ts";
import { decoded, encoded, pay } from "../../../../payments/wallet.ts";
import { testStore } from "../../../../support/database/store.ts";
import { DEV_ACCOUNTS } from "../../../../support/payments/chain/accounts.ts";
import { type Devnet, directService, startDevnet } from "../../../../support/payments/direct-service.ts";
import { eachTest } from "../../../../support/service/each-test.ts";

let devnet: Devnet;
let rpc: FaultProxy;

beforeAll(async () => {
  devnet = await startDevnet();
  rpc = await startFaultProxy(devnet.rpcUrl);
});
afterEach(() => {
  rpc.fault = null;
  devnet.facilitator.faults.supported = null;
});
afterAll(async () => {
  await rpc.close();
  await devnet.stop();
});

const store = eachTest(testStore);
const parts = () => ({ db: store.db, log: { info() {}, warn() {}, error() {} } });
const configWith = (env: NodeJS.ProcessEnv): Config => readConfig({ ...devnet.env(), ...env });

describe("it does not start if the settings do not fit the chain", () => {
  test.each([
    ["X402_NETWORK", "eip155:84532", "the chain at X402_RPC_URL is eip155:31337, not eip155:84532"],
    ["X402_ASSET", DEV_ACCOUNTS.buyer.address, `no contract stands at ${DEV_ACCOUNTS.buyer.address} on eip155:31337`],
    ["X402_ASSET", "0xcA11bde05977b3631167028862bE2a173976CA11", "has an unknown number of decimals"],
    ["X402_PAY_TO", `0x${"0".repeat(40)}`, "belongs to nobody"],
    ["X402_RPC_URL", "", "X402_RPC_URL: missing"],
  ])("%s=%s", async (name, value, message) => {
    const start = async () => loadPayments(configWith({ [name]: value }), parts());
    const thrown: Error = await start().catch((one) => one);
    expect(thrown.message).toContain(`${name}: `);
    expect(thrown.message).toContain(message);
  });

  test("X402_FACILITATOR_URL", async () => {
    devnet.facilitator.faults.supported = { says: { kinds: [] } };
    await expect(loadPayments(configWith({}), parts())).rejects.toThrow("X402_FACILITATOR_URL: it does not serve");
  });
});

test("503 unavailable: the chain does not answer at the start, and the service starts all the same", async () => {
  rpc.fault = async () => "cut";
  const service = await directService(devnet, { settings: { rpcUrls: [rpc.url] } });
  const refused = await service.request("GET", "/credits/x402?pack=basic");
  expect([refused.status, refused.json.error.code]).toEqual([503, "unavailable"]);
  expect(refused.headers.get("retry-after")).toBe("10");
  await service.close();
});

test("200: a pack is sold, and settled by the facilitator", async () => {
  const service = await directService(devnet);
  const { key } = await service.account({ credits: 0, paid: false });
  const body = { pack: "pro" };
  const priced = await service.request("POST", "/credits/x402", { key, body });
  const price = decoded(priced.headers.get("payment-required"));
  expect([priced.status, price.accepts[0].extra]).toEqual([
    402,
    expect.objectContaining({ name: "Test USD", version: "2" }),
  ]);
  const buyer = await devnet.buyer(100);
  const payment = await pay(buyer, price, Math.floor(service.clock.now() / 1000));
  const headers = { "PAYMENT-SIGNATURE": encoded(payment) };
  const { status, json } = await service.request("POST", "/credits/x402", { key, body, headers });
  expect([status, json.order.status, json.balance]).toEqual([200, "paid", 500]);
  expect(await devnet.balanceOf(buyer.address)).toBe(70_010_000n);
  await service.close();
});
