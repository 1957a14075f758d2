import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkEndpointSchema, getWarningsFor402Body, getWarningsForMppHeader } from "@agentcash/discovery";
import { getAddress } from "viem";
import { afterAll, expect, test } from "vitest";
import { openMarket } from "./market.ts";

const market = await openMarket();
const { address, service } = market;
afterAll(() => market.close());

/** `mppx validate`, which has a home of its own and no wallet. */
async function mppxValidate(...args: string[]): Promise<{ exitCode: number; out: string }> {
  const home = await mkdtemp(join(tmpdir(), "beckon-mppx-"));
  const program = join(dirname(createRequire(import.meta.url).resolve("mppx")), "bin.js");
  const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: "1" };
  try {
    return await new Promise((resolve) => {
      const all = [program, "validate", service.url, ...args];
      execFile(process.execPath, all, { env, timeout: 60_000 }, (error, out, err) => {
        resolve({ exitCode: error ? Number(error.code ?? 1) : 0, out: out + err });
      });
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

test("mppx validate accepts the running service: what it publishes, and what it answers", {
  timeout: 90_000,
}, async () => {
  const { exitCode, out } = await mppxValidate("--endpoint", "POST:/api/v1/credits/x402", "--body", '{"pack":"basic"}');
  expect(out).toMatch(/\b[1-9]\d* passed\b/);
  expect([exitCode, out.match(/\b(\d+) failed\b/)?.[1] ?? "0"], out).toEqual([0, "0"]);
});

test("AgentCash reads the price from the running service, without a warning", async () => {
  const checked = await checkEndpointSchema({ url: address, probe: true });
  if (!checked.found) throw new Error("the endpoint was not found");
  const advisory = checked.advisories.find(({ method }) => method === "POST")!;
  const asked = { asset: getAddress(market.devnet.token), payTo: market.devnet.payTo, amount: "9990000" };
  expect(advisory.paymentOptions).toMatchObject([
    { protocol: "x402", version: 2, network: market.devnet.network, ...asked },
    { protocol: "mpp", paymentMethod: "evm", intent: "charge", realm: "127.0.0.1", ...asked },
  ]);
  expect(getWarningsForMppHeader(advisory.wwwAuthenticate)).toEqual([]);
  const warnings = getWarningsFor402Body(advisory.paymentRequiredBody);
  expect(warnings.filter(({ severity }) => severity === "error")).toEqual([]);
});
