import { afterAll, expect, test, vi } from "vitest";
import { UsageError as ClientUsageError } from "../../../packages/client/src/cli/command.ts";
import { BeckonError } from "../../../packages/client/src/error.ts";
import { addressHere, asOurs } from "../../../src/commands/client-command.ts";
import { UsageError } from "../../../src/commands/command.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { startCommand } from "../../../src/platform/own-command.ts";
import { beckonProcess } from "../../support/service/beckon-process.ts";
import { beckon } from "../../support/service/cli.ts";
import { eventually } from "../../support/service/eventually.ts";
import { testService } from "../../support/service/service.ts";

// Commands of their own have to start first, on whatever else the machine does.
vi.setConfig({ testTimeout: 60_000 });

const SITE = "https://beckon.example";

test.each([
  ["the default", {}, "http://localhost:3000"],
  ["another port", { PORT: "8000", SITE_URL: SITE }, "http://localhost:8000"],
  ["all addresses", { HOST: "0.0.0.0", SITE_URL: SITE }, "http://localhost:3000"],
  ["all addresses of IPv6", { HOST: "::", SITE_URL: SITE }, "http://localhost:3000"],
  ["a loopback address of IPv6", { HOST: "::1", SITE_URL: SITE }, "http://[::1]:3000"],
  ["an address of the network alone", { HOST: "192.0.2.1", SITE_URL: SITE }, SITE],
  ["a node that answers no callers", { ROLE: "work", SITE_URL: SITE }, SITE],
])("this machine's service is called where it listens: %s", (_, env, address) => {
  expect(addressHere(readConfig(env))).toBe(address);
});

test("an error of the client is printed as the operator's are, with what to do where no service runs here", () => {
  const usage = asOurs(new ClientUsageError("--events: no."), true);
  expect(usage).toEqual(new UsageError("--events: no."));
  expect(usage).toBeInstanceOf(UsageError);
  const noAnswer = new BeckonError("no_answer", "No answer from http://localhost:3000.");
  const start = `No answer from http://localhost:3000. To start this machine's service: ${startCommand()}`;
  expect(asOurs(noAnswer, true)).toEqual(new Error(start));
  expect(asOurs(noAnswer, false)).toEqual(new Error(noAnswer.message));
  const refused = new BeckonError("unauthorized", "The credential is unknown.");
  expect(asOurs(refused, true)).toEqual(new Error(refused.message));
});

test.each(["mcp", "listen"])("exit 1 %s: PORT is 0; asks for BECKON_URL, and calls nothing", async (name) => {
  const { code, err } = await beckon({ PORT: "0", BECKON_API_KEY: "bk_test_x" }, name);
  expect([code, err]).toEqual([1, "beckon: PORT is 0, so the address of the service is not known: set BECKON_URL.\n"]);
});

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const { key } = await service.account({ credits: 500 });
/** The settings of this machine, on which the service listens at a port of its own. */
const env = { PORT: new URL(service.url).port, BECKON_API_KEY: key };

test("listen listens to this machine's service, and exits with 0 on Ctrl-C", async () => {
  const listener = beckonProcess(env, "listen", "--json");
  expect(JSON.parse(await listener.firstLine())).toMatchObject({
    listening: { source: `http://localhost:${env.PORT}` },
  });
  const body = { urls: ["https://example.com/"], drip_days: 3 };
  const { id } = (await service.request("POST", "/projects", { key, body })).json.project;
  await service.request("POST", `/projects/${id}/cancel`, { key, body: {} });
  await eventually(() => expect(listener.seen.out).toContain("project.completed"));
  listener.child.kill("SIGINT");
  expect(await listener.exited).toMatchObject({ code: 0, err: "" });
});

test("mcp forwards to this machine's service, and exits with 0 when its input ends", async () => {
  const bridge = beckonProcess(env, "mcp");
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_account" } };
  bridge.child.stdin.end(`${JSON.stringify(call)}\n`);
  const { code, out, err } = await bridge.exited;
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toMatchObject({ id: 1, result: { structuredContent: { object: "account" } } });
});

test("mcp exits with 0 on SIGTERM, with its input still open", async () => {
  const bridge = beckonProcess(env, "mcp");
  bridge.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
  await bridge.firstLine();
  bridge.child.kill("SIGTERM");
  expect(await bridge.exited).toMatchObject({ code: 0, err: "" });
});

test.each([
  ["exit 1: a key that is not valid", { BECKON_API_KEY: "bk_test_none" }, [], 1, /^beckon: The credential is unknown/],
  ["exit 2: an option that is wrong", {}, ["--events", "project.done"], 2, /^beckon: --events: "project.done" is not/],
])("%s: says so in a line, and ends", async (_, more, args, exitCode, message) => {
  const { code, err } = await beckonProcess({ ...env, ...more }, "listen", ...args).exited;
  expect([code, err]).toEqual([exitCode, expect.stringMatching(message)]);
  expect(err.trim().split("\n")).toHaveLength(1);
});
