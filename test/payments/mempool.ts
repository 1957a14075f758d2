import { type Hex, keccak256, parseTransaction, recoverTransactionAddress, type TransactionSerialized } from "viem";
import type { Devnet } from "../support/payments/direct-service.ts";
import { type Fault, type ProxiedRequest, says } from "./fault-proxy.ts";
import { idIn } from "./node-faults.ts";

interface Pooled {
  readonly raw: Hex;
  readonly max: bigint;
  readonly tip: bigint;
}

/**
 * A transaction pool with the rules of go-ethereum, in front of a chain that mines everything at once: nothing is mined
 * before `mine`, transactions below the base fee wait, and a replacement has to offer 10% more.
 */
export class Mempool {
  /** Base fee of blocks; null: that of the chain. */
  baseFee: bigint | null = null;
  /** Accepts transactions, but drops them. */
  isDropping = false;
  /** Returns the error for a transaction; null: it is accepted. */
  refuses: ((raw: Hex) => string | null) | null = null;
  /** Called after each transaction, before the response. */
  onSent = () => {};
  /** All transactions that were sent. */
  readonly sent: Hex[] = [];
  readonly #pool = new Map<string, Map<number, Pooled>>();
  readonly #devnet: Devnet;

  constructor(devnet: Devnet) {
    this.#devnet = devnet;
  }

  /** Fault of the proxy in front of the chain. */
  readonly fault: Fault = async (request) => {
    const { method, params } = JSON.parse(request.body);
    if (method === "eth_sendRawTransaction") return this.#take(request, params[0]).finally(this.onSent);
    if (method === "eth_getTransactionCount" && params[1] === "pending") return this.#count(request, params[0]);
    const reply = await request.pass();
    if (method !== "eth_getBlockByNumber" || this.baseFee === null) return reply;
    const said = JSON.parse(reply.body);
    return says({ ...said, result: { ...said.result, baseFeePerGas: hex(this.baseFee) } });
  };

  /** Mines the transactions with the next nonces that pay the base fee. */
  async mine(blocks = 1): Promise<void> {
    for (const [sender, pooled] of this.#pool) {
      let nonce = await this.#mined(sender);
      for (let next = pooled.get(nonce); next && next.max >= (this.baseFee ?? 0n); next = pooled.get(nonce)) {
        await this.#devnet.client.sendRawTransaction({ serializedTransaction: next.raw });
        pooled.delete(nonce);
        nonce += 1;
      }
    }
    await this.#devnet.mine(blocks);
  }

  /** Drops the transactions of an account, or one of them. */
  lose(sender: Hex, nonce?: number): void {
    const pooled = this.#pool.get(sender.toLowerCase());
    if (nonce === undefined) pooled?.clear();
    else pooled?.delete(nonce);
  }

  /** Waiting transactions of an account: nonce and maximum fee. */
  of(sender: Hex): readonly (readonly [nonce: number, max: bigint])[] {
    const pooled = [...(this.#pool.get(sender.toLowerCase()) ?? [])];
    return pooled.map(([nonce, { max }]) => [nonce, max] as const).sort(([one], [other]) => one - other);
  }

  async #take(request: ProxiedRequest, raw: Hex) {
    this.sent.push(raw);
    const no = (message: string) => says({ jsonrpc: "2.0", id: idIn(request.body), error: { code: -32_000, message } });
    const yes = says({ jsonrpc: "2.0", id: idIn(request.body), result: keccak256(raw) });
    const refusal = this.refuses?.(raw);
    if (refusal) return no(refusal);
    if (this.isDropping) return yes;
    const { nonce = 0, maxFeePerGas: max = 0n, maxPriorityFeePerGas: tip = 0n } = parseTransaction(raw);
    const sender = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized });
    if (nonce < (await this.#mined(sender))) return no("nonce too low: next nonce is higher");
    const pooled = this.#pool.get(sender.toLowerCase()) ?? new Map<number, Pooled>();
    const known = pooled.get(nonce);
    if (known?.raw === raw) return no("already known");
    const isMore = !known || (10n * max >= 11n * known.max && 10n * tip >= 11n * known.tip);
    if (!isMore) return no("replacement transaction underpriced: new tx gas fee cap is too low");
    this.#pool.set(sender.toLowerCase(), pooled.set(nonce, { raw, max, tip }));
    return yes;
  }

  async #count({ body }: ProxiedRequest, sender: string) {
    let count = await this.#mined(sender);
    while (this.#pool.get(sender.toLowerCase())?.has(count)) count += 1;
    return says({ jsonrpc: "2.0", id: idIn(body), result: hex(count) });
  }

  #mined(sender: string): Promise<number> {
    return this.#devnet.client.getTransactionCount({ address: sender as Hex, blockTag: "latest" });
  }
}

function hex(value: number | bigint): Hex {
  return `0x${value.toString(16)}`;
}
