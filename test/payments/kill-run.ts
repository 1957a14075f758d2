import type { PrivateKeyAccount } from "viem/accounts";
import { expect } from "vitest";
import type { Engine } from "../../db/engine.ts";
import { openDatabase } from "../../db/open.ts";
import { accountByEmail } from "../../src/domain/accounts/accounts.ts";
import { endLeases } from "../support/kills/killable-service.ts";
import { faultsOf, faultyNode } from "../support/payments/chain/faulty-node.ts";
import type { Devnet } from "../support/payments/direct-service.ts";
import { beckonProcess } from "../support/service/beckon-process.ts";
import { beckon } from "../support/service/cli.ts";
import type { Fault, FaultProxy } from "./fault-proxy.ts";
import { decoded, encoded, type Payment, type Price, pay } from "./wallet.ts";

/** When a process is killed in a payment, and what its node does meanwhile. */
export interface KillCell {
  /** In the words of a script for a faulty node; `ok`: none. */
  readonly fault: string;
  /** The call from which on the node misbehaves: a method of JSON-RPC, or one of the facilitator's. */
  readonly from: string;
  /** The process is killed at this call after that one, or at that one (0). */
  readonly nth: number;
  /** Whether the server has acted on the call by then; otherwise it does so afterwards, where it is the facilitator. */
  readonly acts: boolean;
  /** Whether the money has moved by then. */
  readonly isMoved: boolean;
  /** The next process is killed too, at this call to the node, while the fault lasts. */
  readonly nthOfRestart?: number;
}

interface World {
  readonly devnet: Devnet;
  /** Before the facilitator, and before the node of the chain. */
  readonly facilitator: FaultProxy;
  readonly node: FaultProxy;
  readonly env: NodeJS.ProcessEnv;
}

type Served = Awaited<ReturnType<typeof serve>>;

const EMAIL = "kill@example.com";
const PRICE = 9_990_000n;
const DOLLARS = 1_000;

/** Processes of one service that are killed one after the other. */
export class KillRun {
  readonly #world: World;
  readonly #db: Engine;
  readonly #key: string;
  readonly #price: Price;
  readonly #payments: { readonly account: PrivateKeyAccount; readonly payment: Payment }[] = [];
  #moved = 0;
  #process: Served;

  static async begin(world: World): Promise<KillRun> {
    // A payment is signed for one address, and all processes have it.
    const env: NodeJS.ProcessEnv = { ...world.env, SITE_URL: "http://beckon.test", PORT: "0", LOG_LEVEL: "error" };
    const made = await beckon(env, "account", "create", "--email", EMAIL, "--key", "kill", "--json");
    const first = await serve(env);
    const price: Price = decoded((await send(first.address!, made.json.api_key)).headers.get("payment-required"));
    const db = await openDatabase(env.DATABASE_URL!);
    return new KillRun({ ...world, env }, db, made.json.api_key, price, first);
  }

  private constructor(world: World, db: Engine, key: string, price: Price, first: Served) {
    [this.#world, this.#db, this.#key, this.#price, this.#process] = [world, db, key, price, first];
  }

  /** Pays, kills the process as the cell says, and starts the next one, which has to find what has moved. */
  async play(cell: KillCell): Promise<void> {
    const { devnet, env } = this.#world;
    const name = JSON.stringify(cell);
    const account = await devnet.buyer(DOLLARS);
    const payment = await pay(account, this.#price, Math.floor(Date.now() / 1000));
    this.#payments.push({ account, payment });

    this.#killAt(cell, this.#process);
    const answer = await send(this.#process.address!, this.#key, payment).catch(() => null);
    // Neither 402 nor anything else.
    expect([name, answer?.status ?? "killed"]).toEqual([name, "killed"]);
    await this.#process.exited;
    if (cell.nthOfRestart !== undefined) await this.#killRestarted(cell, cell.nthOfRestart);
    this.#setFault(null);
    const paid = async () => BigInt(DOLLARS * 1e6) - (await devnet.balanceOf(account.address));
    await expect.poll(paid, { timeout: 10_000, message: name }).toBe(cell.isMoved ? PRICE : 0n);
    if (cell.isMoved) this.#moved += 1;

    await endLeases(this.#db);
    this.#process = await serve(env);
    // By itself, at the start: nobody asks.
    await expect.poll(() => this.#credits(), { timeout: 30_000, message: name }).toBe(150 * this.#moved);
  }

  /** Sends every payment again, and proves that each was taken and credited once. */
  async finish(): Promise<void> {
    const { devnet, env } = this.#world;
    for (const { account, payment } of this.#payments) {
      // 409 while the reconciler of the start looks at it.
      const again = () => send(this.#process.address!, this.#key, payment);
      await expect.poll(async () => (await again()).status, { timeout: 30_000 }).toBe(200);
      expect((await again()).headers.get("idempotent-replayed")).toBe("true");
      expect(await devnet.balanceOf(account.address)).toBe(BigInt(DOLLARS * 1e6) - PRICE);
    }
    expect(await this.#credits()).toBe(150 * this.#payments.length);
    await this.#process.kill();
    await this.#db.close();
    expect((await beckon(env, "audit", "--json")).json).toMatchObject({ ok: true, problems: [] });
  }

  /** Starts a process that is killed while it reconciles what the one before has left. */
  async #killRestarted({ fault }: KillCell, nth: number): Promise<void> {
    const { env, node } = this.#world;
    await endLeases(this.#db);
    const misbehave = faultyNode(faultsOf(fault));
    let [calls, kill] = [0, async () => {}];
    node.fault = async (request) => {
      if (calls++ === nth) await kill();
      return misbehave(request);
    };
    const restarted = serve(env, (end) => {
      kill = end;
    });
    await (await restarted).exited;
    expect(calls).toBeGreaterThan(nth);
  }

  #killAt({ fault, from, nth, acts }: KillCell, process: Served): void {
    const misbehave = faultyNode(faultsOf(fault));
    let calls = -1;
    const kills: Fault = async (request) => {
      const call = request.what === "POST /" ? JSON.parse(request.body).method : request.what;
      if (calls >= 0 || call === from) calls += 1;
      const isFromNode = request.what === "POST /" && calls >= 0;
      const pass = () => (isFromNode ? misbehave(request) : request.pass());
      if (calls !== nth) return pass();
      if (!acts) await process.kill();
      if (!acts && isFromNode) return "cut";
      const reply = await pass();
      if (acts) await process.kill();
      return reply;
    };
    this.#setFault(kills);
  }

  #setFault(fault: Fault | null): void {
    const { facilitator, node } = this.#world;
    facilitator.fault = fault;
    node.fault = fault;
  }

  async #credits(): Promise<number> {
    return (await accountByEmail(this.#db, EMAIL))!.credits;
  }
}

/** A process of the service. `address` is null where it was killed before it listened. */
async function serve(env: NodeJS.ProcessEnv, onKillable: (kill: () => Promise<void>) => void = () => undefined) {
  const { child, exited, firstLine } = beckonProcess(env, "serve", "--json");
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  onKillable(kill);
  const line = await firstLine().catch((thrown) => {
    if (child.signalCode === "SIGKILL") return null;
    throw thrown;
  });
  const address = line === null ? null : (JSON.parse(line) as { address: string }).address;
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
