import { DAY } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { type Repository, repositoryOf } from "./git-repository.ts";
import { claudeMarketplace, claudePlugin, codexMarketplace, codexPlugin, geminiExtension, mcpJson } from "./plugin.ts";
import { indexingSkill, SKILL_FILE } from "./skill.ts";

/** Where `git clone` finds the plugins of the service. */
export const PLUGINS_PATH = "/plugins.git";

/** The folder of the plugin of Claude Code and Codex. The plugin of Gemini CLI is the repository itself. */
const FOLDER = "plugins/beckon";

/** The plugins for agents of this service, by their paths: what a repository of them contains. */
export function pluginFiles(site: Pick<Config, "siteUrl" | "clientPackage">): ReadonlyMap<string, string> {
  const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
  const { text: skill } = indexingSkill();
  const about = `# Beckon\n\nPlugins that connect agents to ${site.siteUrl} - how they are installed: ${site.siteUrl}/docs/install\n`;
  return new Map([
    ["README.md", about],
    [".claude-plugin/marketplace.json", json(claudeMarketplace(site, `./${FOLDER}`))],
    [".agents/plugins/marketplace.json", json(codexMarketplace(`./${FOLDER}`))],
    [`${FOLDER}/.claude-plugin/plugin.json`, json(claudePlugin(site))],
    [`${FOLDER}/.codex-plugin/plugin.json`, json(codexPlugin(site))],
    [`${FOLDER}/.mcp.json`, json(mcpJson(site))],
    [`${FOLDER}/skills/${SKILL_FILE}`, skill],
    ["gemini-extension.json", json(geminiExtension(site))],
    [`skills/${SKILL_FILE}`, skill],
  ]);
}

/** The same files as a Git repository with one commit, which is equal on every node of the service. */
export function pluginRepository(site: Pick<Config, "siteUrl" | "clientPackage">): Repository {
  const { host } = new URL(site.siteUrl);
  return repositoryOf(pluginFiles(site), {
    author: `${host} <noreply@${host}>`,
    message: "Plugins of Beckon",
    at: DAY,
  });
}
