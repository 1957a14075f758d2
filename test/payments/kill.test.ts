import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../db/open.ts";
import { type TestDatabase, testDatabase } from "../support/database/database.ts";
import { KNOWN } from "../support/payments/chain/accounts.ts";
import { type Devnet, startDevnet } from "../support/payments/direct-service.ts";
import { beckonProcess } from "../support/service/beckon-process.ts";
import { beckon } from "../support/service/cli.ts";
import { type Between, between } from "./fault-proxy.ts";
import { decoded, encoded, type Payment, type Price, pay } from "./wallet.ts";

let database: TestDatabase;
let devnet: Devnet;
let facilitator: Between;
beforeAll(async () => {
  devnet = await startDevnet();
  facilitator = await between(devnet.facilitator.url);
}, 60_000);
afterAll(async () => {
  await facilitator.close();
  await devnet.stop();
});
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.drop());

const EMAIL = "kill@example.com";

/** The moments at which the facilitator is asked to settle, and has settled. */
const MOMENTS = ["asked to settle", "done"] as const;

test.each(MOMENTS)(
  "law: killed when the facilitator is %s, a process loses no payment",
  {
    timeout: 120_000,
  },
  async (moment) => {
    const env = {
      ...devnet.env(),
      X402_FACILITATOR_URL: facilitator.url,
      DATABASE_URL: database.url,
      PORT: "0",
      LOG_LEVEL: "error",
    };
    const made = await beckon(env, "account", "create", "--email", EMAIL, "--key", "kill", "--json");
    const key: string = made.json.api_key;
    const account = await devnet.buyer();

    const first = await serve(env);
    const price: Price = decoded((await send(first.address, key)).headers.get("payment-required"));
    const payment = await pay(account, price, Math.floor(Date.now() / 1000));
    facilitator.fault = async ({ what, pass }) => {
      if (!what.endsWith("/settle")) return pass();
      if (moment === "asked to settle") await first.kill();
      const reply = await pass();
      if (moment === "done") await first.kill();
      return reply;
    };
    await expect(send(first.address, key, payment)).rejects.toThrow();
    await first.exited;
    facilitator.fault = null;
    await expect.poll(() => devnet.balanceOf(account.address)).toBe(990_010_000n);

    await endLeases(env.DATABASE_URL);
    const second = await serve(env);
    // By itself, at the start: nobody asks.
    await expect.poll(() => creditsIn(env.DATABASE_URL), { timeout: 30_000 }).toBe(150);
    const again = await send(second.address, key, payment);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect(((await again.json()) as { balance: number }).balance).toBe(150);
    expect(await devnet.balanceOf(account.address)).toBe(990_010_000n);
    await second.kill();
    expect((await beckon(env, "audit", "--json")).json).toMatchObject({ ok: true, problems: [] });
  },
);

/** The same for a process that settles by itself: it dies with the transaction signed, or sent. */
test.each(["signed", "sent"] as const)(
  "law: killed when a transaction of its own is %s, a process loses no payment and pays none twice",
  { timeout: 120_000 },
  async (moment) => {
    const rpc = await between(devnet.rpcUrl);
    const env = {
      ...devnet.env(),
      X402_RPC_URL: rpc.url,
      X402_FACILITATOR_URL: "",
      // A payment is signed for one address, and both processes have it.
      SITE_URL: "http://beckon.test",
      X402_FACILITATOR_KEY: KNOWN.facilitator.key,
      DATABASE_URL: database.url,
      PORT: "0",
      LOG_LEVEL: "error",
    };
    const made = await beckon(env, "account", "create", "--email", EMAIL, "--key", "kill", "--json");
    const key: string = made.json.api_key;
    const account = await devnet.buyer();
    const sent = () => devnet.client.getTransactionCount({ address: KNOWN.facilitator.address });
    const before = await sent();

    const first = await serve(env);
    const price: Price = decoded((await send(first.address, key)).headers.get("payment-required"));
    const payment = await pay(account, price, Math.floor(Date.now() / 1000));
    rpc.fault = async ({ body, pass }) => {
      if (!body.includes("eth_sendRawTransaction")) return pass();
      if (moment === "sent") await pass();
      await first.kill();
      return "cut";
    };
    await expect(send(first.address, key, payment)).rejects.toThrow();
    await first.exited;
    rpc.fault = null;
    expect((await sent()) - before).toBe(moment === "sent" ? 1 : 0);

    await endLeases(env.DATABASE_URL);
    const second = await serve(env);
    if (moment === "sent") await expect.poll(() => creditsIn(env.DATABASE_URL), { timeout: 30_000 }).toBe(150);
    // 409 while the reconciler of its start looks at it.
    const again = () => send(second.address, key, payment);
    await expect.poll(async () => (await again()).status, { timeout: 30_000 }).toBe(200);
    expect((await again()).headers.get("idempotent-replayed")).toBe("true");
    expect([await devnet.balanceOf(account.address), (await sent()) - before]).toEqual([990_010_000n, 1]);
    await second.kill();
    await rpc.close();
    expect((await beckon(env, "audit", "--json")).json).toMatchObject({ ok: true, problems: [] });
  },
);

async function serve(env: NodeJS.ProcessEnv) {
  const { child, exited, firstLine } = beckonProcess(env, "serve", "--json");
  const { address } = JSON.parse(await firstLine()) as { address: string };
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  return { address, exited, kill };
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

/** In place of the minutes after which what a dead process held is free. */
async function endLeases(url: string): Promise<void> {
  const db = await openDatabase(url);
  await db.tx(async (tx) => {
    await tx.q.update(tx.t.directPayments).set({ lockedUntil: 0 });
  });
  await db.close();
}

async function creditsIn(url: string): Promise<number> {
  const db = await openDatabase(url);
  const { credits, email } = db.t.accounts;
  const [row] = await db.q.select({ credits }).from(db.t.accounts).where(eq(email, EMAIL));
  await db.close();
  return row!.credits;
}
