import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../support/database/database.ts";
import { type Devnet, startDevnet } from "../support/payments/direct-service.ts";
import { beckonProcess } from "../support/service/beckon-process.ts";
import { beckon } from "../support/service/cli.ts";
import { type Fault, type FaultProxy, says, startFaultProxy } from "./fault-proxy.ts";
import { altered, decoded, encoded, type Payment, type Price, pay } from "./wallet.ts";

let devnet: Devnet;
let facilitator: FaultProxy;
let rpc: FaultProxy;
beforeAll(async () => {
  devnet = await startDevnet();
  facilitator = await startFaultProxy(devnet.facilitator.url);
  rpc = await startFaultProxy(devnet.rpcUrl);
}, 60_000);
afterAll(async () => {
  await rpc.close();
  await facilitator.close();
  await devnet.stop();
});

/** As providers of nodes put it into the address. */
const RPC_KEY = "v2-0123456789abcdef0123456789abcdef";

test("law: the log has no signature, key or credential, whatever goes wrong", { timeout: 90_000 }, async () => {
  const database = await testDatabase();
  onTestFinished(() => database.drop());
  const env = {
    ...devnet.env(),
    X402_FACILITATOR_URL: facilitator.url,
    X402_RPC_URL: `${rpc.url}/${RPC_KEY}`,
    DATABASE_URL: database.url,
    PORT: "0",
    LOG_LEVEL: "debug",
  };
  const made = await beckon(env, "account", "create", "--email", "secrets@example.com", "--key", "k", "--json");
  const key: string = made.json.api_key;
  rpc.fault = pathless;
  const service = beckonProcess(env, "serve", "--json");
  const address = JSON.parse(await service.firstLine()).address;
  const account = await devnet.buyer();
  const sent: Payment[] = [];
  const answers: string[] = [];
  const price: Price = decoded((await send(address, key)).headers.get("payment-required"));
  const buy = async (spoil: (payment: Payment) => Payment = (payment) => payment) => {
    const payment = spoil(await pay(account, price, Math.floor(Date.now() / 1000)));
    sent.push(payment);
    const answer = await send(address, key, payment);
    answers.push(await answer.text());
    return answer.status;
  };

  expect(await buy()).toBe(200);
  expect(await buy((payment) => altered(payment, { validBefore: String(Number(validBefore(payment)) - 1) }))).toBe(402);
  for (const fault of [cut, angry, page]) {
    rpc.fault = fault;
    expect(await buy()).toBe(503);
  }
  rpc.fault = pathless;
  for (const fault of [cut, angry, page]) {
    facilitator.fault = fault;
    await buy();
  }
  facilitator.fault = null;
  service.child.kill("SIGTERM");
  const { out, err } = await service.exited;

  const told = [out, err, ...answers].join("\n");
  expect(err.length).toBeGreaterThan(0);
  const forbidden = [
    ...sent.flatMap((payment) => [payment.payload.signature.slice(2, 66), encoded(payment).slice(0, 80)]),
    RPC_KEY,
  ];
  for (const secret of forbidden) expect(told.toLowerCase()).not.toContain(secret.toLowerCase());
  expect(told).not.toContain(key);
});

/** The node itself has no path. */
const pathless: Fault = async ({ body }) => {
  const answer = await fetch(devnet.rpcUrl, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
  return { status: answer.status, body: await answer.text() };
};

const cut: Fault = async () => "cut";
/** Says back what it was told, as servers in trouble do. */
const angry: Fault = async ({ body }) => says({ error: body, message: body, invalidReason: body }, 500);
const page: Fault = async ({ body }) => ({ status: 200, body: `<html>${body}</html>` });

function validBefore({ payload }: Payment): string {
  return payload.authorization.validBefore;
}

function send(address: string, key: string, payment?: Payment): Promise<Response> {
  return fetch(`${address}/api/v1/credits/x402`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      ...(payment ? { "PAYMENT-SIGNATURE": encoded(payment) } : {}),
    },
    body: JSON.stringify({ pack: "basic" }),
  });
}
