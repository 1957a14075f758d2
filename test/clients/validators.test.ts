import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkEndpointSchema, getWarningsFor402Body, getWarningsForMppHeader } from "@agentcash/discovery";
import { getAddress } from "viem";
import { afterAll, expect, test } from "vitest";
import { isOfferedBy, isOn } from "../../src/contract/operation.ts";
import { MINUTE } from "../../src/platform/clock.ts";
import { operations } from "../../tools/index.ts";
import { openMarket } from "./market.ts";

const market = await openMarket();
const { address, service } = market;
afterAll(() => market.close());

interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of an npm package as its users do, with a home of its own and no wallet. */
async function run(program: string, ...args: string[]): Promise<Run> {
  const home = await mkdtemp(join(tmpdir(), "beckon-validator-"));
  const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: "1" };
  try {
    return await new Promise((resolve) => {
      execFile(process.execPath, [program, ...args], { env, timeout: 60_000 }, (error, stdout, stderr) => {
        resolve({ exitCode: error ? Number(error.code ?? 1) : 0, stdout, stderr });
      });
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

const { resolve: resolveModule } = createRequire(import.meta.url);
const MPPX = join(dirname(resolveModule("mppx")), "bin.js");
const AGENTCASH = join(dirname(resolveModule("@agentcash/discovery")), "../bin/discovery.js");

test.each([
  ["at the address that it is given", ["--endpoint", "POST:/api/v1/credits/x402", "--body", '{"pack":"basic"}']],
  ["at the addresses that it finds in the OpenAPI document", []],
])("mppx validate accepts the running service %s", { timeout: 90_000 }, async (_, args) => {
  const { exitCode, stdout, stderr } = await run(MPPX, "validate", service.url, ...args);
  expect(stdout).toContain("POST /api/v1/credits/x402");
  expect(stdout).toContain("x402 payment challenge");
  expect([exitCode, stdout.match(/\b(\d+) failed\b/)?.[1] ?? "0"], stdout + stderr).toEqual([0, "0"]);
});

test("`discover` of AgentCash lists every operation with its address, and warns of their number alone", async () => {
  const { exitCode, stdout } = await run(AGENTCASH, "discover", service.url, "--json");
  const { ok, resources, warnings } = JSON.parse(stdout);
  expect([exitCode, ok, warningsIn(warnings)]).toEqual([0, true, ["L2_ROUTE_COUNT_HIGH"]]);
  const found = resources.map(({ resourceKey }: { resourceKey: string }) => resourceKey);
  const offered = operations.filter((one) => isOn(one, "rest") && isOfferedBy(one, service.config));
  expect(found.sort()).toEqual(offered.map(({ rest }) => `${service.url} ${rest.method} /api/v1${rest.path}`).sort());
});

test("`check` of AgentCash finds price, protocols and schemas of an address in the OpenAPI document", async () => {
  const { exitCode, stdout } = await run(AGENTCASH, "check", address, "--json");
  const { found, advisories, warnings } = JSON.parse(stdout);
  expect([exitCode, found, warningsIn(warnings)]).toEqual([0, true, []]);
  expect(advisories).toMatchObject([
    { method: "GET", source: "openapi", authMode: "apiKey", inputSchema: expect.anything() },
    {
      method: "POST",
      source: "openapi",
      authMode: "apiKey+paid",
      estimatedPrice: expect.stringContaining("9.99"),
      protocols: ["x402", "mpp"],
      inputSchema: expect.anything(),
      outputSchema: expect.anything(),
    },
  ]);
});

test("`check` of AgentCash finds every address that `discover` lists", async () => {
  for (const { rest } of operations.filter((one) => isOn(one, "rest") && isOfferedBy(one, service.config))) {
    const url = `${service.url}/api/v1${rest.path.replace(/\{\w+\}/g, "some_id")}`;
    const checked = await checkEndpointSchema({ url });
    expect(checked.found && checked.advisories.map(({ method }) => method), url).toContain(rest.method);
  }
});

function warningsIn(found: readonly { readonly code: string; readonly severity: string }[]): string[] {
  return found.filter(({ severity }) => severity !== "info").map(({ code }) => code);
}

test("AgentCash reads the price from the running service, without a warning", async () => {
  // The test before has read as many documents in this minute as an address may.
  service.clock.pass(MINUTE);
  const checked = await checkEndpointSchema({ url: address, probe: true });
  if (!checked.found) throw new Error("the endpoint was not found");
  const advisory = checked.advisories.find(({ method }) => method === "POST")!;
  const price = { asset: getAddress(market.devnet.token), payTo: market.devnet.payTo, amount: "9990000" };
  expect(advisory.paymentOptions).toMatchObject([
    { protocol: "x402", version: 2, network: market.devnet.network, ...price },
    { protocol: "mpp", paymentMethod: "evm", intent: "charge", realm: "127.0.0.1", ...price },
  ]);
  expect(getWarningsForMppHeader(advisory.wwwAuthenticate)).toEqual([]);
  const warnings = getWarningsFor402Body(advisory.paymentRequiredBody);
  expect(warnings.filter(({ severity }) => severity === "error")).toEqual([]);
});
