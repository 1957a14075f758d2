import type { PrivateKeyAccount } from "viem/accounts";
import { entriesOf } from "../../src/domain/ledger/ledger.ts";
import { ordersOf } from "../../src/domain/payments/orders/orders.ts";
import { type Devnet, directService, startDevnet } from "../support/payments/direct-service.ts";
import type { TestService } from "../support/service/service.ts";

/** A chain and a service that is paid on it, at the address that it publishes. */
export interface Market {
  readonly devnet: Devnet;
  readonly service: TestService;
  /** Where a pack is bought. */
  readonly address: string;
  /** An account that has never bought, and a wallet of 1,000 dollars. */
  buyer(): Promise<Buyer>;
  close(): Promise<void>;
}

export interface Buyer {
  readonly id: string;
  readonly key: string;
  readonly wallet: PrivateKeyAccount;
  /** What this customer's purchases have left behind, on the chain and in the books. */
  traces(): Promise<Traces>;
}

export interface Traces {
  readonly orders: { readonly id: string; readonly method: string; readonly status: string; readonly hash: string }[];
  /** Kinds and credits of the ledger. */
  readonly ledger: (readonly [kind: string, credits: number])[];
  /** Base units that left the wallet, and that came to the seller since this buyer was there. */
  readonly paid: bigint;
  readonly received: bigint;
}

export async function openMarket(): Promise<Market> {
  const devnet = await startDevnet();
  const service = await directService(devnet, { publishUrl: true });
  return {
    devnet,
    service,
    address: `${service.url}/api/v1/credits/x402`,
    async buyer() {
      const { id, key } = await service.account({ paid: false, credits: 0 });
      const wallet = await devnet.buyer();
      const [held, had] = [await devnet.balanceOf(wallet.address), await devnet.balanceOf(devnet.payTo)];
      return {
        id,
        key,
        wallet,
        async traces() {
          const page = { limit: 100, offset: 0 };
          const { rows: orders } = await ordersOf(service.db, id, { status: "any", ...page });
          const { rows: entries } = await entriesOf(service.db, id, page);
          return {
            orders: orders.map(({ id, method, status, transaction }) => {
              return { id, method, status, hash: JSON.parse(transaction!).hash };
            }),
            ledger: entries.map(({ kind, credits }) => [kind, credits] as const),
            paid: held - (await devnet.balanceOf(wallet.address)),
            received: (await devnet.balanceOf(devnet.payTo)) - had,
          };
        },
      };
    },
    async close() {
      await service.close();
      await devnet.stop();
    },
  };
}

/** What pay_direct answers, as far as it matters here. */
export interface Bought {
  readonly order: { readonly id: string; readonly transaction: { readonly hash: string } };
  readonly balance: number;
}

/** Of one purchase of basic. */
export function onlyBasic({ order: { id, transaction } }: Bought): Traces {
  return {
    orders: [{ id, method: "evm", status: "paid", hash: transaction.hash }],
    ledger: [["purchase", 150]],
    paid: 9_990_000n,
    received: 9_990_000n,
  };
}

export const NOTHING: Traces = { orders: [], ledger: [], paid: 0n, received: 0n };

/** fetch, and the requests that went through it, with the status of each answer. */
export function recorded() {
  const requests: { readonly headers: Headers; readonly status: number }[] = [];
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(request);
    requests.push({ headers: request.headers, status: response.status });
    return response;
  };
  return { requests, fetch: send };
}
