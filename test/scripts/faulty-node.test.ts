import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { packageRoot } from "../../src/platform/package-root.ts";
import { latch } from "../payments/held-timeouts.ts";
import { startFaultyNode } from "../support/payments/chain/faulty-node.ts";
import { FAULT_KINDS, parseStep } from "../support/payments/chain/node-script.ts";
import { listen } from "../support/service/listen.ts";

const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, ["scripts/run.mjs", "scripts/faulty-node.ts", ...args], { cwd: packageRoot });

test("a step names methods, faults and how long they last", () => {
  expect(parseStep("eth_getLogs,eth_call late:20s + * cut 1.5s")).toEqual({
    faults: [
      { methods: ["eth_getLogs", "eth_call"], kind: "late", amount: 20, inBlocks: false },
      { methods: null, kind: "cut", amount: 0, inBlocks: false },
    ],
    lastsMs: 1_500,
  });
  expect(parseStep("* fork:3b")).toEqual({
    faults: [{ methods: null, kind: "fork", amount: 3, inBlocks: true }],
    lastsMs: null,
  });
  expect(parseStep("ok 10s")).toEqual({ faults: [], lastsMs: 10_000 });
});

test.each(["eth_call", "eth_call nonsense", "eth_call late", "eth_call cut:3s", "* slow:3b", "* fork:3s", "a b c"])(
  "an Error says what is wrong with the step '%s'",
  (text) => expect(() => parseStep(text)).toThrow(text),
);

test("a step without an end lasts, and after the last one with an end all calls pass", async () => {
  const upstream = await listen((_, res) => void res.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}'));
  onTestFinished(() => upstream.close());
  const lasting = await startFaultyNode({ upstream: upstream.url }, [parseStep("eth_chainId chain-id")]);
  onTestFinished(() => lasting.close());
  expect(await ask(lasting.url, "eth_chainId")).toEqual({ jsonrpc: "2.0", id: 7, result: "0x7a6a" });
  const ended = latch();
  const steps = [parseStep("* null 0.01s"), parseStep("* cut 0.01s")];
  const brief = await startFaultyNode({ upstream: upstream.url }, steps, (step) => step ?? ended.open());
  onTestFinished(() => brief.close());
  await ended.opened;
  expect(await ask(brief.url, "eth_chainId")).toEqual({ jsonrpc: "2.0", id: 1, result: "0x1" });
});

async function ask(url: string, method: string): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method, params: [] });
  return (await fetch(url, { method: "POST", body })).json();
}

test("--help names every fault, and an invalid step is exit 1 with the reason", async () => {
  const { stdout } = await run("--help");
  for (const kind of Object.keys(FAULT_KINDS)) expect(stdout).toContain(`\n  ${kind} `);
  await expect(run("* second")).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("--second") });
  await expect(run("--nonsense")).rejects.toMatchObject({ code: 2 });
});
