import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/platform/config/config.ts";
import { demoKey } from "../../src/process/demo-key.ts";
import { createLog } from "../../src/process/log.ts";
import { type Service, startService } from "../../src/process/service.ts";
import { DEV_ACCOUNTS } from "../../test/support/payments/chain/accounts.ts";
import { type Devnet, startDevnet } from "../../test/support/payments/direct-service.ts";

export interface Ports {
  /** Null: it is not started. */
  readonly beckon: number | null;
  readonly chain: number;
  readonly facilitator: number;
}

/** Addresses and keys of what was started, for users and programs. */
export interface Facts {
  readonly network: string;
  readonly rpc: string;
  readonly token: string;
  readonly payTo: string;
  readonly facilitator: string;
  readonly buyer: { readonly address: string; readonly key: string; readonly dollars: number };
  /** Settings of a sandbox that takes payments on this chain. */
  readonly environment: Readonly<Record<string, string>>;
  readonly beckon: { readonly url: string; readonly key: string } | null;
}

export interface Place {
  readonly facts: Facts;
  readonly chainEnded: Promise<"chain">;
  end(): Promise<void>;
}

const DOLLARS = 1_000;

/** Starts everything. The database is deleted at the end, as the chain is: neither is of use without the other. */
export async function startPlace({ beckon, ...ports }: Ports): Promise<Place> {
  const devnet = await startDevnet({ ports });
  const folder = await mkdtemp(join(tmpdir(), "beckon-devnet-"));
  let service: Service | null = null;
  const end = async () => {
    await service?.stop();
    await devnet.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await devnet.fund(DEV_ACCOUNTS.buyer.address, DOLLARS);
    const environment = { ...devnet.env(), DATABASE_URL: `file:${join(folder, "beckon.db")}` };
    if (beckon !== null) service = await serve({ ...environment, PORT: String(beckon) });
    const facts = { ...factsOf(devnet), environment, beckon: service && (await doorOf(service)) };
    return { facts, chainEnded: devnet.ended.then(() => "chain" as const), end };
  } catch (thrown) {
    await end();
    throw thrown;
  }
}

function serve(environment: NodeJS.ProcessEnv): Promise<Service> {
  const config = readConfig({ LOG_LEVEL: "warn", ...environment });
  return startService(config, createLog(config));
}

function factsOf({ network, rpcUrl, token, payTo, facilitator }: Devnet): Omit<Facts, "environment" | "beckon"> {
  const { address, key } = DEV_ACCOUNTS.buyer;
  const buyer = { address, key, dollars: DOLLARS };
  return { network, rpc: rpcUrl, token, payTo, facilitator: facilitator.url, buyer };
}

async function doorOf({ address, instance }: Service): Promise<{ url: string; key: string }> {
  return { url: address, key: (await demoKey(instance))!.key };
}
