import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import {
  bundleManifest,
  claudeMarketplace,
  claudePlugin,
  codeLink,
  codexMarketplace,
  codexPlugin,
  cursorLink,
  geminiExtension,
  PLUGIN,
} from "../../../../src/surfaces/install/plugin.ts";
import { pluginFiles } from "../../../../src/surfaces/install/plugin-repository.ts";
import { CARD_DESCRIPTION } from "../../../../src/surfaces/mcp/server-card.ts";
import {
  BUNDLE_RULES,
  CLAUDE_MARKETPLACE_RULES,
  CLAUDE_PLUGIN_RULES,
  CODEX_MARKETPLACE_RULES,
  CODEX_PLUGIN_RULES,
  GEMINI_EXTENSION_RULES,
  officialViolations,
  violations,
} from "../../../support/checks/registry-rules.ts";
import { CLIENTS } from "../../../support/mcp/clients.ts";
import { scratchFolder } from "../../../support/service/cli.ts";
import { testService } from "../../../support/service/service.ts";

const execute = promisify(execFile);
const service = await testService({ publishUrl: true });
afterAll(() => service.close());

const SITE = { siteUrl: "https://beckon.example", clientPackage: undefined };
const git = (args: readonly string[], cwd: string) =>
  execute("git", args, { cwd, env: { PATH: process.env.PATH!, HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" } });

test.each([
  ["the plugin of Claude Code", CLAUDE_PLUGIN_RULES, claudePlugin(SITE)],
  ["its marketplace", CLAUDE_MARKETPLACE_RULES, claudeMarketplace(SITE, "./plugins/beckon")],
  ["the plugin of Codex", CODEX_PLUGIN_RULES, codexPlugin(SITE)],
  ["its marketplace", CODEX_MARKETPLACE_RULES, codexMarketplace("./plugins/beckon")],
  ["the extension of Gemini CLI", GEMINI_EXTENSION_RULES, geminiExtension(SITE)],
  ["the MCP bundle", BUNDLE_RULES, bundleManifest(SITE)],
])("%s is of the form that its host reads: %#", (_, rules, document) => {
  expect(violations(rules, document)).toEqual([]);
  expect(violations(rules, { ...document, stray: true })).not.toEqual([]);
});

test.skipIf(!process.env.BUNDLE_SCHEMA)("the manifest of the bundle is valid by the official schema", () => {
  expect(officialViolations(process.env.BUNDLE_SCHEMA!, bundleManifest(SITE))).toEqual([]);
});

test("all of them say the same of Beckon, and lead to the address of the service", () => {
  expect(PLUGIN.description).toBe(CARD_DESCRIPTION);
  for (const [path, text] of pluginFiles(SITE)) {
    const addresses = [...text.matchAll(/https?:\/\/[^/"\s]+/g)].map(([address]) => address);
    expect([path, addresses.filter((address) => address !== SITE.siteUrl)]).toEqual([path, []]);
  }
});

test("the links of editors hold the address", () => {
  const cursor = new URL(cursorLink(SITE)).searchParams;
  expect(cursor.get("name")).toBe("beckon");
  expect(JSON.parse(Buffer.from(cursor.get("config")!, "base64").toString())).toEqual({ url: `${SITE.siteUrl}/mcp` });
  const [start, json] = codeLink(SITE).split("?");
  expect(start).toBe("vscode:mcp/install");
  expect(JSON.parse(decodeURIComponent(json!))).toEqual({ name: "beckon", type: "http", url: `${SITE.siteUrl}/mcp` });
});

test.each([
  ["whole", []],
  ["without history", ["--depth", "1"]],
])("git clones the plugins, %s, and fetches again", async (_, options) => {
  const folder = scratchFolder();
  await git(["clone", "-q", ...options, `${service.url}/plugins.git`, "clone"], folder);
  const clone = join(folder, "clone");
  await git(["fsck", "--strict"], clone);
  const files = (await git(["ls-files"], clone)).stdout.trim().split("\n");
  const expected = pluginFiles(service.config);
  expect(files.toSorted()).toEqual([...expected.keys()].toSorted());
  for (const path of files) expect(readFileSync(join(clone, path), "utf8")).toBe(expected.get(path));
  await git(["pull", "-q", ...options], clone);
  // With commits of its own, it names them in what it asks for.
  writeFileSync(join(clone, "own"), "");
  await git(["add", "own"], clone);
  await git(["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "own"], clone);
  await git(["update-ref", "-d", "refs/remotes/origin/main"], clone);
  await git(["fetch", "-q", "origin", "main"], clone);
});

test("404 and 400: a request that is not of a clone", async () => {
  const at = `${service.url}/plugins.git`;
  expect((await fetch(`${at}/info/refs`)).status).toBe(404);
  expect((await fetch(`${at}/info/refs?service=git-receive-pack`)).status).toBe(404);
  const headers = { "Content-Type": "application/x-git-upload-pack-request", Accept: "application/json" };
  for (const body of ["", "0000", "zzzz", "0032want 0123456789012345678901234567890123456789\n0000", "ffff"]) {
    const response = await fetch(`${at}/git-upload-pack`, { method: "POST", headers, body });
    expect([body, response.status]).toEqual([body, 400]);
  }
});

test("the bundle holds the client, which starts as its manifest says and forwards to the service", async () => {
  const folder = scratchFolder();
  const bytes = Buffer.from(await (await fetch(`${service.url}/beckon.mcpb`)).arrayBuffer());
  writeFileSync(join(folder, "beckon.mcpb"), bytes);
  await execute("python3", ["-m", "zipfile", "-e", "beckon.mcpb", "."], { cwd: folder });
  const { server, user_config } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  expect(user_config.url.default).toBe(service.url);
  const { key } = await service.account();
  const given = (text: string) =>
    text
      .replace("${" + "__dirname}", folder)
      .replace("${" + "user_config.url}", user_config.url.default)
      .replace("${" + "user_config.api_key}", key);
  const args = server.mcp_config.args.map(given);
  expect(args[0]).toBe(join(folder, server.entry_point));
  const env = Object.fromEntries(
    Object.entries<string>(server.mcp_config.env).map(([name, text]) => [name, given(text)]),
  );
  const connect = CLIENTS["client 2.4, 2026-07-28"]!;
  const client = await connect({
    command: process.execPath,
    args,
    env: { PATH: process.env.PATH!, ...env },
    cwd: folder,
  });
  const account = await client.call("get_account");
  await client.close();
  expect(account.structuredContent).toMatchObject({ object: "account" });
});
