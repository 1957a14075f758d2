import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import type { Readable, Writable } from "node:stream";

export interface Anvil {
  /** JSON-RPC. */
  readonly url: string;
  /** Resolves when it has ended, whoever ended it. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** Where npm puts the program, by platform and processor. */
const PACKAGES: Readonly<Record<string, string>> = {
  "linux x64": "@foundry-rs/anvil-linux-amd64",
  "linux arm64": "@foundry-rs/anvil-linux-arm64",
  "darwin x64": "@foundry-rs/anvil-darwin-amd64",
  "darwin arm64": "@foundry-rs/anvil-darwin-arm64",
};

/** Ends the chain with this process, however that ends: the pipe that is descriptor 3 closes then. */
const GUARD = '"$@" 3<&- & chain=$!; (read _ <&3; kill -KILL $chain) >/dev/null 2>&1 & wait $chain 2>/dev/null';

export interface AnvilOptions {
  readonly chainId: number;
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** The newest block that is final has so many above it. An even number; default: FINAL_DEPTH. */
  readonly finalDepth?: number | undefined;
  /** Rules of the chain, e.g. `berlin`; default: the newest. */
  readonly hardfork?: string | undefined;
}

/** Two epochs of Ethereum's. */
export const FINAL_DEPTH = 64;

/** A chain of one node on this machine, which mines a block for every transaction. @throws Error */
export async function startAnvil({
  port = 0,
  chainId,
  finalDepth = FINAL_DEPTH,
  hardfork,
}: AnvilOptions): Promise<Anvil> {
  const args = ["--host", "127.0.0.1", "--port", String(port), "--chain-id", String(chainId)];
  args.push("--slots-in-an-epoch", String(finalDepth / 2), ...(hardfork ? ["--hardfork", hardfork] : []));
  const child = spawn("/bin/sh", ["-c", GUARD, "sh", programOf(), ...args], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    // A Ctrl-C in the terminal is for us: what pays on the chain is stopped before it.
    detached: true,
  });
  const ended = once(child, "close");
  const stop = async () => {
    (child.stdio[3] as Writable).end();
    await ended;
  };
  try {
    const url = await addressIn(child.stdout!, child.stderr!);
    child.stdout!.resume();
    return { url, ended, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

/** @throws Error where npm has no anvil, or has not installed it */
export function programOf({ platform, arch }: { platform: string; arch: string } = process): string {
  const name = PACKAGES[`${platform} ${arch}`];
  if (name === undefined) {
    const known = Object.keys(PACKAGES).join(", ");
    throw new Error(`there is no local chain for ${platform} ${arch}: anvil is on npm for ${known}`);
  }
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/anvil`);
  } catch {
    throw new Error(`${name} is not installed; npm install --include=optional brings it`);
  }
}

/** Waits for the line that says where it listens. */
async function addressIn(out: Readable, err: Readable): Promise<string> {
  let said = "";
  err.on("data", (data) => {
    said += data;
  });
  for await (const data of out.iterator({ destroyOnReturn: false })) {
    said += data;
    const [, address] = /Listening on (\S+)\n/.exec(said) ?? [];
    if (address !== undefined) return `http://${address}`;
  }
  throw new Error(`the local chain did not start: ${said.trim().split("\n").at(-1)}`);
}
