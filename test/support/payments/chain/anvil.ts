import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";

export interface Anvil {
  /** Address of its JSON-RPC. */
  readonly url: string;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** npm packages with the program, by platform and processor. */
const PACKAGES: Readonly<Record<string, string>> = {
  "linux x64": "@foundry-rs/anvil-linux-amd64",
  "linux arm64": "@foundry-rs/anvil-linux-arm64",
  "darwin x64": "@foundry-rs/anvil-darwin-amd64",
  "darwin arm64": "@foundry-rs/anvil-darwin-arm64",
};

/** Shell script that ends the chain with this process, even if it is killed: the pipe of descriptor 3 closes then. */
const GUARD = '"$@" 3<&- & chain=$!; (read _ <&3; kill -KILL $chain) >/dev/null 2>&1 & wait $chain 2>/dev/null';

export interface AnvilOptions {
  readonly chainId: number;
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** The newest block that is final has so many above it. An even number; default: FINAL_DEPTH. */
  readonly finalDepth?: number | undefined;
}

/** Two epochs of Ethereum's. */
export const FINAL_DEPTH = 64;

/** Starts a chain of one node, which mines a block for every transaction. @throws Error if it does not start */
export async function startAnvil({ port = 0, chainId, finalDepth = FINAL_DEPTH }: AnvilOptions): Promise<Anvil> {
  const args = ["--host", "127.0.0.1", "--port", String(port), "--chain-id", String(chainId)];
  args.push("--slots-in-an-epoch", String(finalDepth / 2));
  const child = spawn("/bin/sh", ["-c", GUARD, "sh", programOf(), ...args], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    // Ctrl-C in the terminal must not reach it: it is stopped after the programs that pay on it.
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

/** @throws Error if npm has no anvil for this platform, or has not installed it */
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

/** Waits for the line with the address where it listens. */
async function addressIn(out: Readable, err: Readable): Promise<string> {
  let output = "";
  err.on("data", (data) => {
    output += data;
  });
  const errorsEnded = finished(err).catch(() => undefined);
  for await (const data of out.iterator({ destroyOnReturn: false })) {
    output += data;
    const [, address] = /Listening on (\S+)\n/.exec(output) ?? [];
    if (address !== undefined) return `http://${address}`;
  }
  // Its outputs end in any order.
  await errorsEnded;
  throw new Error(`the local chain did not start: ${output.trim().split("\n").at(-1)}`);
}
