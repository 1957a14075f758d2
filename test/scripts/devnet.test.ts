import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExactEvmScheme } from "@x402/evm";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";
import { expect, onTestFinished, test } from "vitest";
import type { Facts } from "../../scripts/devnet/environment.ts";
import { packageRoot } from "../../src/platform/package-root.ts";
import { programOf } from "../support/payments/chain/anvil.ts";
import { BUNDLE } from "../support/service/beckon-command.ts";
import { listen } from "../support/service/listen.ts";

const FREE = ["--port", "0", "--chain-port", "0", "--facilitator-port", "0"];
const ALONE = ["--chain-only", "--json", ...FREE];

const BUNDLED = join(BUNDLE, "devnet.js");

/**
 * @param options `inShell`: a shell starts it, and could end before it does. `program`: the bundle starts in a fraction of the
 * time that the sources take
 */
function devnet(args: readonly string[], { inShell = false, program: script = [BUNDLED] } = {}) {
  const command = [process.execPath, ...script, ...args];
  const [program, ...rest] = inShell ? ["/bin/sh", "-c", '"$@" & wait', "sh", ...command] : command;
  // One that is killed does not tidy up.
  const folder = mkdtempSync(join(tmpdir(), "beckon-test-"));
  const env = { ...process.env, TMPDIR: folder };
  const child = spawn(program!, rest, { cwd: packageRoot, env, stdio: ["ignore", "pipe", "pipe"] });
  const seen = { out: "", err: "" };
  child.stdout.on("data", (data) => {
    seen.out += data;
  });
  child.stderr.on("data", (data) => {
    seen.err += data;
  });
  const exited = once(child, "exit").then(([code]) => ({ code, ...seen }));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    child,
    exited,
    /** Its outputs are closed: nobody who had them is left. */
    gone: once(child, "close"),
    async facts(): Promise<Facts & { pid: number }> {
      while (!seen.out.includes("\n")) {
        const isOver = await Promise.race([once(child.stdout, "data").then(() => false), exited.then(() => true)]);
        if (isOver && !seen.out.includes("\n")) throw new Error(seen.err);
      }
      return JSON.parse(seen.out);
    },
  };
}

/** Waits until nobody answers there. */
async function silent(url: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
  for (;;) {
    const answer = await fetch(url, { method: "POST", body }).catch(() => null);
    if (!answer) return;
    await answer.text();
  }
}

test("one command starts everything, sells credits to a stock client, and ends cleanly", async () => {
  const { child, facts, exited } = devnet(["--json", ...FREE], { program: ["scripts/run.mjs", "scripts/devnet.ts"] });
  const { network, rpc, token, buyer, environment, beckon } = await facts();
  const client = new x402Client().register("eip155:*", new ExactEvmScheme(privateKeyToAccount(buyer.key as "0x")));
  const asset = { network: network as "eip155:31337", asset: token, maxAmountPerPayment: "10000000" };
  client.setSpendControls({ allowedAssets: [asset] });
  const paying = wrapFetchWithPayment(fetch, client);
  const answer = await paying(`${beckon!.url}/api/v1/credits/x402`, {
    method: "POST",
    headers: { Authorization: `Bearer ${beckon!.key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ pack: "basic" }),
  });
  const { order } = (await answer.json()) as { order: object };
  expect([answer.status, order]).toEqual([200, expect.objectContaining({ status: "paid", credits: 150 })]);
  const database = environment.DATABASE_URL!.slice("file:".length);
  expect(existsSync(database)).toBe(true);
  child.kill("SIGTERM");
  expect((await exited).code).toBe(0);
  await silent(rpc);
  expect(existsSync(database)).toBe(false);
}, 60_000);

test("prints what a newcomer needs, and the settings for another service", async () => {
  const { child, exited } = devnet(["--chain-only", ...FREE]);
  await once(child.stdout, "data");
  child.kill("SIGINT");
  const { code, out } = await exited;
  expect(code).toBe(0);
  for (const words of [
    "JSON-RPC at http://127.0.0.1:",
    "private key 0x7c85",
    "never send it",
    "X402_NETWORK=eip155:31337 \\",
  ])
    expect(out).toContain(words);
  expect(out).toMatch(/X402_FACILITATOR_URL=http\S+ \\\n(?:.+ \\\n)+ {2}npm start\n/);
}, 60_000);

test("law: the chain ends when its command ends, in whatever way", async () => {
  const { facts, gone } = devnet(ALONE);
  const { rpc, pid } = await facts();
  process.kill(pid, "SIGKILL");
  await gone;
  await silent(rpc);
}, 60_000);

test("law: the chain ends when the process that started it ends", async () => {
  const { child, facts, gone } = devnet(ALONE, { inShell: true });
  const { rpc, facilitator } = await facts();
  child.kill("SIGKILL");
  await gone;
  await silent(rpc);
  await silent(facilitator);
}, 60_000);

test.each(["--chain-port", "--facilitator-port", "--port"])(
  "if %s is in use it says so, and leaves nothing running",
  async (name) => {
    const { url, close } = await listen((_, res) => res.end());
    const { code, out, err } = await devnet(["--json", ...FREE, name, new URL(url).port]).exited;
    expect([code, out, err]).toEqual([1, "", expect.stringContaining("a port is taken")]);
    await close();
  },
  60_000,
);

test.each([
  ["win32", "x64", "there is no local chain for win32 x64: anvil is on npm for linux x64, linux arm64, darwin"],
  ["linux", "s390x", "there is no local chain for linux s390x"],
  ["darwin", process.platform === "darwin" ? "x64" : "arm64", "is not installed"],
])("a machine without anvil is told how to get it: %s %s", (platform, arch, words) => {
  expect(() => programOf({ platform, arch })).toThrow(words);
});

test.each([
  [["--help"], 0, "Usage: npm run devnet"],
  [["--chain"], 2, "devnet: "],
  [["--port", "x"], 1, '--port: "x" is not a port'],
  [["--chain-port", "70000"], 1, '--chain-port: "70000" is not a port'],
])(
  "%j ends with %i",
  async (args, code, words) => {
    const ended = await devnet(args).exited;
    expect(ended.code).toBe(code);
    expect(ended.out + ended.err).toContain(words);
  },
  60_000,
);
