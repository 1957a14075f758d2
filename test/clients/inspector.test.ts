import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { isOfferedBy } from "../../src/contract/operation.ts";
import { promptList } from "../../src/surfaces/mcp/prompts.ts";
import { toolsOf } from "../support/mcp/call-every-tool.ts";
import { beckonMcp } from "../support/mcp/stdio.ts";
import { testService } from "../support/service/service.ts";

/** The command line of the official inspector, as somebody who tries the server out would use it. */
const require = createRequire(import.meta.url);
const CLI = join(
  dirname(require.resolve("@modelcontextprotocol/inspector/package.json")),
  "clients/cli/build/index.js",
);

// Two commands have to start in each case, on whatever else the machine does.
vi.setConfig({ testTimeout: 90_000 });
const service = await testService();
const { key } = await service.account();
const home = await mkdtemp(join(tmpdir(), "beckon-inspector-"));
afterAll(async () => {
  await service.close();
  await rm(home, { recursive: true });
});

const stdio = beckonMcp(service.url, key);
const settings = Object.entries(stdio.env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
const PLACES: Record<string, readonly string[]> = {
  "over HTTP": ["--server-url", `${service.url}/mcp`, "--header", `Authorization: Bearer ${key}`],
  "over stdio": [stdio.command, ...stdio.args, "--cwd", stdio.cwd, ...settings],
};

interface Outcome {
  readonly code: number | string | null;
  readonly out: string;
  readonly err: string;
}

/** Runs it to its end, with a home of its own. */
function inspect(place: readonly string[], era: string, ...asked: string[]): Promise<Outcome> {
  const args = [CLI, ...place, "--protocol-era", era, "--format", "json", "--quiet", ...asked];
  const env = { PATH: process.env.PATH ?? "", HOME: home };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: home, env, timeout: 80_000 }, (err, out, text) => {
      resolve({ code: err ? (err.code ?? "killed") : 0, out, err: text });
    });
  });
}

const cases = Object.entries(PLACES).flatMap(([where, place]) =>
  ["legacy", "modern"].map((era) => [where, era, place] as const),
);

describe.each(cases)("%s, %s era", (_, era, place) => {
  const ask = async (...asked: string[]) => {
    const { code, out, err } = await inspect(place, era, ...asked);
    expect([code, err]).toEqual([0, ""]);
    const said = JSON.parse(out);
    return said.appInfo ?? said.result;
  };

  test("exit 0: tools/list is every tool", async () => {
    const { tools } = await ask("--method", "tools/list");
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(toolsOf(service.config));
  });

  test("exit 0: tools/call get_account", async () => {
    const result = await ask("--method", "tools/call", "--tool-name", "get_account");
    expect(result.structuredContent).toMatchObject({ object: "account", credits: 150 });
  });

  test("exit 0: resources/list and prompts/list", async () => {
    const { resources } = await ask("--method", "resources/list");
    expect(resources.map(({ uri }: { uri: string }) => uri)).toContain("beckon://account");
    const { prompts } = await ask("--method", "prompts/list");
    expect(prompts).toEqual(promptList((operation) => isOfferedBy(operation, service.config)));
  });

  test("exit 0: get_project has an app", async () => {
    const app = await ask("--method", "tools/call", "--tool-name", "get_project", "--app-info");
    expect(app).toMatchObject({ hasApp: true, resourceUri: "ui://beckon/project.html" });
  });
});
