import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test, vi } from "vitest";
import { documentsOf } from "../../../../src/surfaces/docs/index.ts";
import { codeLink, cursorLink } from "../../../../src/surfaces/install/plugin.ts";
import { indexingSkill } from "../../../../src/surfaces/install/skill.ts";
import { blocksIn } from "../../../support/checks/markdown-blocks.ts";
import { userOf } from "../../../support/client/beckon-client.ts";
import { scratchFolder } from "../../../support/service/cli.ts";
import { testService } from "../../../support/service/service.ts";

// npm runs.
vi.setConfig({ testTimeout: 120_000 });

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const { markdown } = documentsOf(service.config).find(({ path }) => path === "/docs/install")!;
const blocks = blocksIn(markdown);
const lines = blocks.filter(({ language }) => language === "sh").flatMap(({ text }) => text.split("\n"));

/** Lines for programs that no test has: each is compared, word for word, with what those programs take. */
const MCP = `${service.url}/mcp`;
const PLUGINS = `${service.url}/plugins.git`;
const ELSEWHERE = [
  `claude plugin marketplace add ${PLUGINS}`,
  "claude plugin install beckon@beckon",
  `claude mcp add --transport http beckon ${MCP}`,
  `claude mcp add --transport http beckon ${MCP} --header "Authorization: Bearer $BECKON_API_KEY"`,
  `codex mcp add beckon --url ${MCP}`,
  `codex plugin marketplace add ${PLUGINS}`,
  "codex plugin add beckon@beckon",
  `code --add-mcp '${JSON.stringify({ name: "beckon", type: "http", url: MCP })}'`,
  `gemini mcp add --scope user --transport http beckon ${MCP}`,
  `gemini extensions install ${PLUGINS}`,
];

/** An empty home, whose programs are in npm's global folder below it. */
async function home() {
  const folder = scratchFolder();
  const { key } = await service.account({ credits: 50 });
  const env = {
    ...(userOf(service.url, key) as Record<string, string>),
    PATH: `${join(folder, "global/bin")}:${process.env.PATH}`,
    HOME: folder,
    npm_config_prefix: join(folder, "global"),
    npm_config_cache: join(folder, "cache"),
    npm_config_update_notifier: "false",
  };
  const run = (line: string) => promisify(execFile)("bash", ["-ec", line], { cwd: folder, env });
  return { folder, key, run };
}

test("law: every line of the page is one of another program, or runs in an empty home", async () => {
  const { folder, key, run } = await home();
  expect(lines.filter((line) => /^(claude|codex|code|gemini) /.test(line))).toEqual(ELSEWHERE);
  const own = lines.filter((line) => !ELSEWHERE.includes(line));
  expect(own.map((line) => line.split(" ")[0])).toEqual(["npx", "npm", "beckon", "beckon", "npm", "mkdir", "curl"]);
  for (const line of own) {
    // Signing in takes a browser, and following takes two weeks.
    if (line.startsWith("beckon login ")) await run(`echo ${key} | ${line} --key`);
    else if (line.startsWith("beckon submit "))
      expect((await run(line.replace(" --follow", ""))).stdout).toContain("prj_");
    else await run(line);
  }
  const skill = readFileSync(join(folder, ".claude/skills/beckon-indexing/SKILL.md"), "utf8");
  expect(skill).toBe(indexingSkill().text);
  // The program of the last tab, with the package that a line above it has installed.
  const [program, ...others] = blocks.filter(({ language }) => language === "js");
  expect(others).toEqual([]);
  const { stdout } = await run(`cat > program.mjs <<'END'\n${program!.text}\nEND\nnode program.mjs`);
  expect(stdout).toBe("49\n");
});

test("law: the JSON of the page holds the address, or starts the client of this service", () => {
  const [cursor, code, other, program, ...more] = blocks
    .filter(({ language }) => language === "json")
    .map(({ text }) => JSON.parse(text));
  expect(more).toEqual([]);
  expect(cursor).toEqual({ mcpServers: { beckon: { url: MCP } } });
  expect(code).toEqual({ servers: { beckon: { type: "http", url: MCP } } });
  expect(other).toEqual({ mcpServers: { beckon: { type: "http", url: MCP } } });
  const { command, args, env } = program.mcpServers.beckon;
  expect([command, args, env.BECKON_URL]).toEqual(["npx", ["-y", `${service.url}/beckon.tgz`, "mcp"], service.url]);
});

test("the tabs are in the page, with the links that open an editor", async () => {
  const html = await (await fetch(`${service.url}/docs/install`, { headers: { Accept: "text/html" } })).text();
  for (const title of ["Claude", "Codex", "Cursor", "VS Code", "Gemini CLI", "Terminal"])
    expect(html).toMatch(new RegExp(`<label for="host-[\\w-]+">${title}</label>`));
  for (const link of [cursorLink(service.config), codeLink(service.config)])
    expect(html).toContain(`href="${link.replaceAll("&", "&amp;")}"`);
});

test("with a package of the operator every line names it, and no line the one of the service", () => {
  const config = { ...service.config, clientPackage: "@example/beckon" };
  const page = documentsOf(config).find(({ path }) => path === "/docs/install")!.markdown;
  expect(page).not.toContain("beckon.tgz");
  for (const line of ["npx -y @example/beckon --help", "npm install --global @example/beckon", '"@example/beckon"'])
    expect(page).toContain(line);
});
