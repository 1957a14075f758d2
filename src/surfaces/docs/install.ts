import type { Config } from "../../platform/config/config.ts";
import { BUNDLE_PATH } from "../install/bundle.ts";
import { clientSpecifier } from "../install/client-package.ts";
import { codeLink, cursorLink, localServer, mcpJson, PLUGIN, remoteServer } from "../install/plugin.ts";
import { PLUGINS_PATH } from "../install/plugin-repository.ts";
import { SKILL_FILE, SKILL_INDEX_PATH, SKILL_PATH } from "../install/skill.ts";
import type { Document, Part, TextTab, TextTabs } from "./document.ts";
import { fenced, json, page } from "./markdown.ts";
import { tabsToMarkdown } from "./text-tabs.ts";

/** How each agent, editor and terminal gets the tools. Every line of it is run or parsed by a test. */
export function installDocument(config: Config): Document {
  const { siteUrl } = config;
  const hosts: TextTabs = {
    kind: "tabs",
    name: "host",
    label: "What Beckon is installed in",
    tabs: [claude(config), codex(config), cursor(config), code(config), gemini(config), terminal(config)],
  };
  const introduction = page(
    "# Install",
    `Beckon is an MCP server at \`${siteUrl}/mcp\`. Where a host takes an address, nothing is installed, and you sign in in the
browser. A plugin brings that address and a skill, by which the agent knows what to use when, and what to ask before it spends.`,
  );
  const others = page(
    "## Any other host",
    "By address, as most hosts write it down:",
    json(mcpJson(config)),
    "As a program, for hosts that start one. It forwards to the address, and needs an [API key](/dashboard/keys) and Node.js 20.19:",
    json({ mcpServers: { [PLUGIN.name]: localServer(config) } }),
    "## The skill alone",
    `Agents find it at \`${siteUrl}${SKILL_INDEX_PATH}\`, and over MCP as \`skill://${SKILL_FILE}\`. In a folder of skills:`,
    fenced(
      "sh",
      `mkdir -p ~/.claude/skills/${SKILL_FILE.split("/")[0]}
curl -fsS ${siteUrl}${SKILL_PATH} -o ~/.claude/skills/${SKILL_FILE}`,
    ),
    "## In a pipeline",
    "[After a deployment](/docs/deployments) submits what has changed, within a budget.",
    "## Your own catalog",
    `\`git clone ${siteUrl}${PLUGINS_PATH}\` gives you the plugins as files, to be put into a repository of yours.`,
    whoseCode(config),
  );
  const parts: Part[] = [introduction, hosts, others];
  return {
    path: "/docs/install",
    title: "Install",
    summary: "Lines for Claude, Codex, Cursor, VS Code, Gemini CLI, the terminal and any other host of MCP.",
    section: "Get started",
    markdown: page(introduction.trimEnd(), tabsToMarkdown(hosts), others.trimEnd()),
    parts,
  };
}

function claude({ siteUrl }: Config): TextTab {
  return {
    id: "claude",
    title: "Claude",
    markdown: page(
      "Claude Code, with the skill:",
      fenced(
        "sh",
        `claude plugin marketplace add ${siteUrl}${PLUGINS_PATH}
claude plugin install ${PLUGIN.name}@${PLUGIN.name}`,
      ),
      "The tools alone:",
      fenced("sh", `claude mcp add --transport http ${PLUGIN.name} ${siteUrl}/mcp`),
      "Then type `/mcp` in a session to sign in. Where there is no browser, with an API key:",
      fenced(
        "sh",
        `claude mcp add --transport http ${PLUGIN.name} ${siteUrl}/mcp --header "Authorization: Bearer $BECKON_API_KEY"`,
      ),
      `Claude on the web and on the desktop: in the settings, under connectors, add \`${siteUrl}/mcp\`. It has to be reachable from
the internet. On the desktop you can also open [this bundle](${BUNDLE_PATH}), which asks for an API key and calls from your machine.`,
    ),
  };
}

function codex({ siteUrl }: Config): TextTab {
  return {
    id: "codex",
    title: "Codex",
    markdown: page(
      fenced("sh", `codex mcp add ${PLUGIN.name} --url ${siteUrl}/mcp`),
      "It opens the browser, where you sign in. With the skill:",
      fenced(
        "sh",
        `codex plugin marketplace add ${siteUrl}${PLUGINS_PATH}\ncodex plugin add ${PLUGIN.name}@${PLUGIN.name}`,
      ),
    ),
  };
}

function cursor(config: Config): TextTab {
  const { url } = remoteServer(config);
  return {
    id: "cursor",
    title: "Cursor",
    markdown: page(
      `[Add Beckon to Cursor](${cursorLink(config)}), or write into \`.cursor/mcp.json\`:`,
      json({ mcpServers: { [PLUGIN.name]: { url } } }),
    ),
  };
}

function code(config: Config): TextTab {
  const server = remoteServer(config);
  return {
    id: "vs-code",
    title: "VS Code",
    markdown: page(
      `[Add Beckon to VS Code](${codeLink(config)}), or in a terminal:`,
      fenced("sh", `code --add-mcp '${JSON.stringify({ name: PLUGIN.name, ...server })}'`),
      "For all who work on a project, in `.vscode/mcp.json`:",
      json({ servers: { [PLUGIN.name]: server } }),
    ),
  };
}

function gemini({ siteUrl }: Config): TextTab {
  return {
    id: "gemini-cli",
    title: "Gemini CLI",
    markdown: page(
      fenced("sh", `gemini mcp add --scope user --transport http ${PLUGIN.name} ${siteUrl}/mcp`),
      `Then type \`/mcp auth ${PLUGIN.name}\` in a session to sign in. With the skill:`,
      fenced("sh", `gemini extensions install ${siteUrl}${PLUGINS_PATH}`),
    ),
  };
}

function terminal(config: Config): TextTab {
  const client = clientSpecifier(config);
  return {
    id: "terminal",
    title: "Terminal",
    markdown: page(
      "Without installing anything, with Node.js 20.19 or newer:",
      fenced("sh", `npx -y ${client} --help`),
      "`npx` keeps the package that it has installed; without the folder `~/.npm/_npx` it fetches the present one.",
      "To stay, with completion for bash, zsh and fish (`beckon completion`):",
      fenced("sh", `npm install --global ${client}\nbeckon login ${config.siteUrl}`),
      "Then submit pages and watch what becomes of them:",
      fenced("sh", "beckon submit https://example.com/ --follow"),
      "The same package is a typed client for programs:",
      fenced("sh", `npm install ${client}`),
      fenced(
        "js",
        `import { createClient } from "beckon-client";

const client = createClient({ url: "${config.siteUrl}", credential: process.env.BECKON_API_KEY });
const { credits } = await client.getAccount();
console.log(credits);`,
      ),
    ),
  };
}

/** Whose code these lines run. */
function whoseCode({ clientPackage }: Config): string {
  return clientPackage
    ? `The lines with \`npx\` and \`npm\` install \`${clientPackage}\`, the package that the operator of this service has named.`
    : "The lines with `npx` and `npm` install the client that this very service serves, and nothing from a registry.";
}
