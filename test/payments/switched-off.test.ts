import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { METHOD_IDS } from "../../src/domain/payments/find-method.ts";
import { message, poster } from "../support/mcp/post.ts";
import { type Devnet, directService, startDevnet } from "../support/payments/direct-service.ts";
import { type TestService, testService } from "../support/service/service.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { newWallet } from "./wallet.ts";

/** Where direct payment is not configured, and where what is configured is not true. */

let devnet: Devnet;
let rpc: FaultProxy;
let facilitator: FaultProxy;
beforeAll(async () => {
  devnet = await startDevnet();
  rpc = await startFaultProxy(devnet.rpcUrl);
  facilitator = await startFaultProxy(devnet.facilitator.url);
}, 60_000);
// What does not answer is left alone for ten seconds of the machine's time.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  rpc.fault = null;
  facilitator.fault = null;
});
afterAll(async () => {
  await rpc.close();
  await facilitator.close();
  await devnet.stop();
});

async function withService(made: Promise<TestService>, work: (service: TestService) => Promise<void>): Promise<void> {
  const service = await made;
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

test("404 direct_payment_disabled: on both methods, for everybody, with a signature and without", () =>
  withService(testService(), async ({ request, account }) => {
    const { key } = await account();
    for (const by of [undefined, key]) {
      for (const headers of [{}, { "PAYMENT-SIGNATURE": "e30=" }]) {
        for (const [method, more] of [["GET", {}] as const, ["POST", { body: { pack: "basic" } }] as const]) {
          const answer = await request(method, "/credits/x402", { ...more, key: by, headers });
          expect([method, answer.status, answer.json.error.code]).toEqual([method, 404, "direct_payment_disabled"]);
          expect(answer.headers.get("payment-required")).toBeNull();
          expect(answer.headers.get("www-authenticate")).toBeNull();
        }
      }
    }
  }));

/** Of an order: it may be older than the settings. */
const METHODS = JSON.stringify(METHOD_IDS);
const SPEAKS_OF_IT =
  /.{0,60}(?:\bevm\b|x402|pay_direct|get_direct_price|PAYMENT-SIGNATURE|Payment-Authorization).{0,60}/gi;

test("where direct payment is off, no published document mentions it", () =>
  withService(testService(), async (service) => {
    const { key } = await service.account();
    const { url, request } = service;
    const openApi = await (await fetch(`${url}/openapi.json`)).text();
    expect(openApi.replaceAll(METHODS, "").match(SPEAKS_OF_IT)).toBeNull();
    const post = poster(url);
    const tools = (await post(message("tools/list"), { key })).json.result.tools;
    expect(tools.map(({ name }: { name: string }) => name)).not.toContain("pay_direct");
    expect(JSON.stringify(tools).replaceAll(METHODS, "").match(SPEAKS_OF_IT)).toBeNull();
    const called = await post(message("tools/call", { name: "pay_direct", arguments: { pack: "basic" } }), { key });
    expect(called.text).toMatch(/direct_payment_disabled|not found|unknown/i);
    const unpaid = await service.account({ paid: false, credits: 0 });
    const refused = await request("POST", "/projects", { key: unpaid.key, body: { urls: ["https://example.com/"] } });
    expect(refused.text.match(SPEAKS_OF_IT)).toBeNull();
  }));

test("where direct payment is on, the description, the tool and the offers name the token", () =>
  withService(directService(devnet), async ({ url, account }) => {
    const openApi = await (await fetch(`${url}/openapi.json`)).text();
    expect(openApi).toContain(devnet.token);
    const { key } = await account();
    const tools = (await poster(url)(message("tools/list"), { key })).json.result.tools;
    const tool = tools.find(({ name }: { name: string }) => name === "pay_direct");
    // Clients hold what comes with an error against it too, and fail (SDK 1.32).
    expect([tool.name, tool.outputSchema]).toEqual(["pay_direct", undefined]);
  }));

test("503 unavailable: the node is unreachable at the start; payments work once it is back", async () => {
  rpc.fault = async () => "cut";
  await withService(directService(devnet, { settings: { rpcUrls: [rpc.url] } }), async ({ request, account }) => {
    const { key } = await account();
    for (const [method, more] of [["GET", {}] as const, ["POST", { key, body: { pack: "basic" } }] as const]) {
      const answer = await request(method, "/credits/x402", more);
      expect([method, answer.status, answer.json.error.code]).toEqual([method, 503, "unavailable"]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await request("GET", "/account", { key })).status).toBe(200);
    rpc.fault = null;
    vi.setSystemTime(Date.now() + 11_000);
    expect((await request("GET", "/credits/x402")).status).toBe(402);
  });
});

test("402: the price can be read though the facilitator is unreachable at the start", async () => {
  facilitator.fault = async () => "cut";
  const settings = { facilitatorUrl: facilitator.url };
  await withService(directService(devnet, { settings }), async ({ request }) => {
    expect((await request("GET", "/credits/x402")).status).toBe(402);
  });
});

test.each([
  ["X402_NETWORK", () => ({ network: "eip155:84532", chainId: 84532 })],
  ["X402_ASSET", () => ({ asset: newWallet().address })],
  ["X402_ASSET", () => ({ asset: "0xcA11bde05977b3631167028862bE2a173976CA11" })],
])("a start is refused where the chain contradicts %s", async (setting, wrong) => {
  await expect(directService(devnet, { settings: wrong() })).rejects.toThrow(setting);
});

test("the service does not start if the facilitator does not serve the network", async () => {
  facilitator.fault = async ({ what, pass }) =>
    what.endsWith("/supported") ? { status: 200, body: '{"kinds":[],"extensions":[],"signers":{}}' } : pass();
  const settings = { facilitatorUrl: facilitator.url };
  await expect(directService(devnet, { settings })).rejects.toThrow("X402_FACILITATOR");
});
