import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { isOnPostgres } from "../../../support/database/database.ts";
import { answerOf, callEveryTool, errorOf, toolsOf } from "../../../support/mcp/call-every-tool.ts";
import { CLIENTS } from "../../../support/mcp/clients.ts";
import { beckonMcp, localDatabase } from "../../../support/mcp/stdio.ts";
import { scratchFolder } from "../../../support/service/cli.ts";
import { testService } from "../../../support/service/service.ts";

// A command of its own has to start first, on whatever else the machine does.
vi.setConfig({ testTimeout: 60_000 });
const service = await testService();
afterAll(() => service.close());
const names = toolsOf(service.config);

// One client is enough to show that the command works on PostgreSQL.
describe.each(Object.entries(CLIENTS).slice(isOnPostgres ? -1 : 0))("%s over stdio", (_, connect) => {
  test("lists and calls every tool on the local database; a revoked key stops at the next call", async () => {
    const local = await localDatabase();
    const client = await connect(beckonMcp(local.env));
    try {
      expect(await callEveryTool(client)).toEqual(names);
      const input = { urls: ["https://example.com/once"], idempotency_key: "once" };
      const first = await client.call("submit_urls", input);
      const again = await client.call("submit_urls", input);
      expect([again._meta?.["beckon/idempotent-replayed"], again.content]).toEqual([true, first.content]);
      await local.revoke();
      expect(errorOf(await client.call("get_account")).code).toBe("unauthorized");
    } finally {
      await client.close();
      await local.close();
    }
  });

  test("lists and calls every tool at a service, with its refusals", async () => {
    const { key } = await service.account();
    const client = await connect(beckonMcp({ BECKON_URL: service.url, BECKON_API_KEY: key }));
    try {
      expect(await callEveryTool(client)).toEqual(names);
      const input = { urls: ["https://example.com/once"], idempotency_key: "once" };
      const first = await client.call("submit_urls", input);
      const again = await client.call("submit_urls", input);
      expect([again._meta?.["beckon/idempotent-replayed"], again.content]).toEqual([true, first.content]);
      expect(errorOf(await client.call("submit_urls", { ...input, mode: "instant" })).code).toBe(
        "idempotency_mismatch",
      );
      expect(errorOf(await client.call("submit_urls", { urls: 3 })).issues).toMatchObject([{ path: "urls" }]);
      expect(answerOf(await client.call("get_account"))).toMatchObject({ credential: { name: "test" } });
    } finally {
      await client.close();
    }
  });
});

test("without BECKON_API_KEY it exits with a message, and writes nothing to standard output", async () => {
  const { exitCode, out, err } = await run(beckonMcp({}));
  expect([exitCode, out]).toEqual([2, ""]);
  expect(err).toContain("BECKON_API_KEY");
});

test("without BECKON_URL and without a database it says what to set, and makes no database", async () => {
  const path = join(scratchFolder(), "data/beckon.db");
  const { exitCode, out, err } = await run(beckonMcp({ BECKON_API_KEY: "bk_test_x", DATABASE_URL: `file:${path}` }));
  expect([exitCode, out]).toEqual([2, ""]);
  expect(err).toContain("set BECKON_URL to the address of the Beckon to work with");
  expect(existsSync(path)).toBe(false);
});

test("exits when its client closes standard input", async () => {
  const local = await localDatabase();
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } },
  };
  const { exitCode, out, err } = await run(beckonMcp(local.env), `${JSON.stringify(initialize)}\n`);
  expect([exitCode, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toMatchObject({ id: 1, result: { serverInfo: { name: "beckon" } } });
  await local.close();
});

/** Runs the command; its input ends once it has answered. */
async function run({ command, args, ...options }: ReturnType<typeof beckonMcp>, input = "") {
  const child = spawn(command, args, options);
  let [out, err] = ["", ""];
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  child.stdout.on("data", (chunk) => {
    out += chunk;
    child.stdin.end();
  });
  if (input) child.stdin.write(input);
  const [exitCode] = await once(child, "close");
  return { exitCode, out, err };
}
