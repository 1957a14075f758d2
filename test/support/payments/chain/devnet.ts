import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { DirectSettings } from "../../../../src/platform/config/payment.ts";
import { DEV_ACCOUNTS } from "./accounts.ts";
import { type AnvilOptions, startAnvil } from "./anvil.ts";
import { type ChainClient, chainClient } from "./client.ts";
import { artefact, TOKEN } from "./contracts.ts";
import { type DevFacilitator, type Network, startFacilitator } from "./facilitator.ts";

type Address = `0x${string}`;

/** A local chain with a test dollar and a facilitator, whose balances and time tests can change. */
export interface Devnet {
  readonly network: Network;
  readonly rpcUrl: string;
  /** Contract of the test dollar. */
  readonly token: Address;
  readonly payTo: Address;
  /** Contract that makes several calls in one transaction. */
  readonly multicall: Address;
  readonly facilitator: DevFacilitator;
  readonly client: ChainClient;
  /** Creates an account with dollars of the token, by default 1,000. */
  buyer(dollars?: number): Promise<PrivateKeyAccount>;
  /** Mints. */
  fund(address: Address, dollars: number): Promise<void>;
  /** Base units of the token. */
  balanceOf(address: Address): Promise<bigint>;
  mine(blocks?: number): Promise<void>;
  /** Moves the time of the chain, by mining a block. */
  increaseTime(seconds: number): Promise<void>;
  /** @returns a function that resets the chain to its present state, as a reorganisation does */
  snapshot(): Promise<() => Promise<void>>;
  settings(more?: Partial<DirectSettings>): DirectSettings;
  /** The settings as environment variables. */
  env(): Record<string, string>;
  /** Resolves when the process of the chain has ended, for whatever reason. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

export interface DevnetOptions extends Pick<AnvilOptions, "finalDepth"> {
  /** Default: 1. */
  readonly confirmations?: number;
  readonly chainId?: number;
  /** Default: free ones. */
  readonly ports?: { readonly chain: number; readonly facilitator: number };
}

export async function startDevnet({
  confirmations = 1,
  chainId = 31337,
  ports,
  ...more
}: DevnetOptions = {}): Promise<Devnet> {
  const anvil = await startAnvil({ ...more, chainId, port: ports?.chain });
  try {
    const client = chainClient(anvil.url, chainId);
    const token = await deploy(client, "TestUSD");
    const { data: code } = await client.call({ data: artefact("Multicall").bytecode });
    await client.setCode({ address: MULTICALL3, bytecode: code! });
    const network: Network = `eip155:${chainId}`;
    const facilitator = await startFacilitator(client, network, ports?.facilitator);
    const settings = (more: Partial<DirectSettings> = {}): DirectSettings => ({
      network,
      chainId,
      asset: token,
      payTo: DEV_ACCOUNTS.seller.address,
      rpcUrls: [anvil.url],
      facilitatorUrl: facilitator.url,
      confirmations,
      ...more,
    });
    const contract = { address: token, abi: TOKEN } as const;
    const fund: Devnet["fund"] = async (address, dollars) => {
      const args = [address, BigInt(Math.round(dollars * 1e6))] as const;
      const mint = { ...contract, functionName: "mint", args, account: DEV_ACCOUNTS.deployer.address } as const;
      await client.waitForTransactionReceipt({ hash: await client.writeContract(mint) });
    };
    return {
      network,
      rpcUrl: anvil.url,
      token,
      payTo: DEV_ACCOUNTS.seller.address,
      multicall: MULTICALL3,
      facilitator,
      client,
      fund,
      async buyer(dollars = 1_000) {
        const account = privateKeyToAccount(generatePrivateKey());
        await fund(account.address, dollars);
        return account;
      },
      balanceOf: (address) => client.readContract({ ...contract, functionName: "balanceOf", args: [address] }),
      mine: (blocks = 1) => client.mine({ blocks }),
      async increaseTime(seconds) {
        await client.increaseTime({ seconds });
        await client.mine({ blocks: 1 });
      },
      async snapshot() {
        const id = await client.snapshot();
        return () => client.revert({ id });
      },
      settings,
      env: () => environmentOf(settings()),
      ended: anvil.ended,
      async stop() {
        await facilitator.close();
        await anvil.stop();
      },
    };
  } catch (thrown) {
    await anvil.stop();
    throw thrown;
  }
}

/** Address of Multicall3 on public chains. */
const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";

/** Deploys a contract of contracts/. @returns its address */
export async function deploy(
  client: ChainClient,
  name: Parameters<typeof artefact>[0],
  args: readonly unknown[] = [],
): Promise<Address> {
  const { abi, bytecode } = artefact(name);
  const hash = await client.deployContract({ abi, bytecode, args, account: DEV_ACCOUNTS.deployer.address });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  return contractAddress!;
}

function environmentOf(settings: DirectSettings): Record<string, string> {
  return {
    X402_NETWORK: settings.network,
    X402_ASSET: settings.asset,
    X402_PAY_TO: settings.payTo,
    X402_RPC_URL: settings.rpcUrls.join(),
    X402_FACILITATOR_URL: settings.facilitatorUrl,
    X402_CONFIRMATIONS: String(settings.confirmations),
  };
}
