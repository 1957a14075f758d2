import { type Hex, parseTransaction } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { vi } from "vitest";
import type { SettleResult } from "../../../../../../../src/domain/payments/direct/facilitator/facilitator.ts";
import { LocalFacilitator } from "../../../../../../../src/domain/payments/direct/facilitator/facilitator-local.ts";
import { readConfig } from "../../../../../../../src/platform/config/config.ts";
import { createHttpClient } from "../../../../../../../src/platform/http-client/http-client.ts";
import { type FaultProxy, startFaultProxy } from "../../../../../../payments/fault-proxy.ts";
import { Mempool } from "../../../../../../payments/mempool.ts";
import { payOn } from "../../../../../../support/payments/chain/pay.ts";
import { type Devnet, startDevnet } from "../../../../../../support/payments/direct-service.ts";
import { holdTimers } from "../../../../../../support/service/held-timers.ts";

const KEY = `0x${"5ec7e7".repeat(10)}0002` as const;
export const { address: ACCOUNT } = privateKeyToAccount(KEY);

export const GWEI = 1_000_000_000n;

type Paid = Awaited<ReturnType<typeof payOn>>;

/** After which upkeep goes on by itself, in ms (while-busy.ts). In tests it is called. */
export const UPKEEP_PAUSES = [2_000, 4_000, 8_000, 15_000];

/** Facilitators with one key, at a node whose pool and time the test has in its hands. */
export class WalletWorld {
  readonly devnet: Devnet;
  readonly rpc: FaultProxy;
  readonly logged: string[] = [];
  pool: Mempool;
  readonly #started: LocalFacilitator[] = [];
  #payer: Awaited<ReturnType<Devnet["buyer"]>>;
  readonly #http = createHttpClient(readConfig({}));

  static async open(): Promise<WalletWorld> {
    const devnet = await startDevnet();
    return new WalletWorld(devnet, await startFaultProxy(devnet.rpcUrl), await devnet.buyer(0));
  }

  private constructor(devnet: Devnet, rpc: FaultProxy, payer: Awaited<ReturnType<Devnet["buyer"]>>) {
    [this.devnet, this.rpc, this.#payer] = [devnet, rpc, payer];
    this.pool = new Mempool(devnet);
  }

  /** A new payer with 1,000 dollars, an empty pool, and a gas price of 1 gwei and a tip of another. */
  async reset(): Promise<void> {
    this.logged.length = 0;
    for (const facilitator of this.#started.splice(0)) facilitator.stop();
    this.#payer = await this.devnet.buyer(1_000);
    await this.devnet.client.setBalance({ address: ACCOUNT, value: 10n ** 18n });
    this.pool = new Mempool(this.devnet);
    this.pool.baseFee = GWEI;
    this.rpc.fault = this.pool.fault;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    holdTimers(...UPKEEP_PAUSES);
  }

  async close(): Promise<void> {
    for (const facilitator of this.#started) facilitator.stop();
    await this.rpc.close();
    await this.devnet.stop();
    await this.#http.close();
  }

  /** A process with the key. It waits for no receipt: nothing is mined before the test says so. */
  start({ rpcUrls = [this.rpc.url], maxGasGwei = 50 } = {}): LocalFacilitator {
    const note = (fields: object, message: string) => void this.logged.push(JSON.stringify({ ...fields, message }));
    const settings = { ...this.devnet.settings({ rpcUrls }), key: KEY, maxGasGwei };
    const times = { verify: 5_000, settle: 5_000, receipt: 0 };
    const facilitator = new LocalFacilitator(settings, this.#http, { info: note, warn: note, error: note }, times);
    this.#started.push(facilitator);
    return facilitator;
  }

  /** Ten dollars, of a payer of their own or the one of this test. */
  pay(payer = this.#payer): Promise<Paid> {
    return payOn(this.devnet, payer);
  }

  async settle(facilitator: LocalFacilitator, payment?: Paid): Promise<SettleResult["outcome"]> {
    const paid = payment ?? (await this.pay());
    return (await facilitator.settle(paid, paid.accepted)).outcome;
  }

  /** Dollars that the payer of this test has paid. */
  async paid(): Promise<number> {
    return 1_000 - Number(await this.devnet.balanceOf(this.#payer.address)) / 1e6;
  }

  /** The payer gives all that it has away. */
  async drain({ address } = this.#payer): Promise<void> {
    const { client, token, payTo } = this.devnet;
    await client.impersonateAccount({ address });
    await client.setBalance({ address, value: 10n ** 18n });
    const args = [payTo, await this.devnet.balanceOf(address)] as const;
    const abi = [
      {
        type: "function",
        name: "transfer",
        inputs: [{ type: "address" }, { type: "uint256" }],
        outputs: [{ type: "bool" }],
        stateMutability: "nonpayable",
      },
    ] as const;
    const call = { address: token, abi, functionName: "transfer", args, account: address, chain: null } as const;
    await client.waitForTransactionReceipt({ hash: await client.writeContract(call) });
    await client.stopImpersonatingAccount({ address });
  }

  /** Lets seconds pass, and blocks without a transaction of ours. */
  async pass(seconds: number, blocks = 0): Promise<void> {
    vi.setSystemTime(Date.now() + seconds * 1000);
    if (blocks > 0) await this.devnet.mine(blocks);
  }

  /** How many transactions of the account are mined. */
  mined(): Promise<number> {
    return this.devnet.client.getTransactionCount({ address: ACCOUNT });
  }

  /** What the pool holds: nonces counted from `first`, and the most that each offers, in gwei. */
  waiting(first: number): readonly (readonly [number, number])[] {
    return this.pool.of(ACCOUNT).map(([nonce, max]) => [nonce - first, Number(max) / 1e9] as const);
  }

  /** Whether what was sent last was an empty transfer to ourselves. */
  get isLastEmpty(): boolean {
    const { to, data } = parseTransaction(this.pool.sent.at(-1) as Hex);
    return to?.toLowerCase() === ACCOUNT.toLowerCase() && data === undefined;
  }
}
