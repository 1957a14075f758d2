import type { Config } from "../../platform/config/config.ts";
import { version } from "../../platform/version.ts";

type Site = Pick<Config, "siteUrl" | "clientPackage">;

/** What every plugin, bundle and registry entry says of Beckon. */
export const PLUGIN = {
  name: "beckon",
  title: "Beckon",
  /** At most 100 characters, which registries allow. */
  description: "Submits pages to Google, Bing and Yandex, checks them, and returns credits for those not indexed.",
  keywords: ["seo", "indexing", "sitemap", "google", "bing", "yandex"],
  license: "MIT",
  version,
  category: "productivity",
} as const;

/** What plugins of every kind have in common. */
function manifest({ siteUrl }: Site) {
  const { name, description, keywords, license } = PLUGIN;
  return {
    name,
    version,
    description,
    author: authorOf(siteUrl),
    homepage: `${siteUrl}/docs/install`,
    license,
    keywords,
  };
}

/** Who runs the service. */
function authorOf(siteUrl: string) {
  return { name: new URL(siteUrl).host, url: siteUrl };
}

/** The MCP server of the service, as most hosts write it down. */
export function remoteServer({ siteUrl }: Site) {
  return { type: "http", url: `${siteUrl}/mcp` } as const;
}

export function mcpJson(site: Site): object {
  return { mcpServers: { [PLUGIN.name]: remoteServer(site) } };
}

/** `.claude-plugin/plugin.json` (code.claude.com/docs/en/plugins-reference). */
export function claudePlugin(site: Site): object {
  return manifest(site);
}

/** `.claude-plugin/marketplace.json`: the plugins of a repository. @param source the folder of the plugin in it */
export function claudeMarketplace(site: Site, source: string): object {
  const { author, ...plugin } = manifest(site);
  const { category, description } = PLUGIN;
  return {
    name: PLUGIN.name,
    owner: { name: author.name },
    metadata: { description, version },
    plugins: [{ ...plugin, author, category, source }],
  };
}

/** `.codex-plugin/plugin.json` (developers.openai.com/codex/plugins/build). */
export function codexPlugin(site: Site): object {
  const { siteUrl } = site;
  return {
    ...manifest(site),
    skills: "./skills/",
    mcpServers: "./.mcp.json",
    interface: {
      displayName: PLUGIN.title,
      shortDescription: "Submit web pages to search engines",
      longDescription: PLUGIN.description,
      developerName: authorOf(siteUrl).name,
      category: "Productivity",
      capabilities: ["Read", "Write"],
      websiteURL: siteUrl,
      privacyPolicyURL: `${siteUrl}/privacy`,
      termsOfServiceURL: `${siteUrl}/terms`,
      defaultPrompt: ["What would it cost to get my sitemap indexed?"],
    },
  };
}

/** `.agents/plugins/marketplace.json`, the catalog of Codex. */
export function codexMarketplace(source: string): object {
  const plugin = {
    name: PLUGIN.name,
    source: { source: "local", path: source },
    policy: { installation: "AVAILABLE", authentication: "ON_USE" },
    category: "Productivity",
  };
  return { name: PLUGIN.name, interface: { displayName: PLUGIN.title }, plugins: [plugin] };
}

/** `gemini-extension.json` (geminicli.com/docs/extensions/reference). */
export function geminiExtension(site: Site): object {
  const { name, description } = PLUGIN;
  return { name, version, description, mcpServers: { [name]: { httpUrl: remoteServer(site).url } } };
}

/** Where the program of the bundle lies in it; it looks for package.json two folders above. */
export const BUNDLED_PROGRAM = "server/client/beckon.mjs";

/** `manifest.json` of an MCP bundle, version 0.3 (github.com/modelcontextprotocol/mcpb, MANIFEST.md). */
export function bundleManifest(site: Site): object {
  const { siteUrl } = site;
  const { homepage, ...common } = manifest(site);
  return {
    manifest_version: "0.3",
    display_name: PLUGIN.title,
    ...common,
    homepage,
    documentation: `${siteUrl}/docs`,
    support: `${siteUrl}/support`,
    privacy_policies: [`${siteUrl}/privacy`],
    server: {
      type: "node",
      entry_point: BUNDLED_PROGRAM,
      mcp_config: {
        command: "node",
        // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the host replaces them
        args: [`\${__dirname}/${BUNDLED_PROGRAM}`, "mcp"],
        env: { BECKON_URL: "${user_config.url}", BECKON_API_KEY: "${user_config.api_key}" },
        // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the host replaces them
      },
    },
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: ">=20.19" } },
    user_config: {
      url: {
        type: "string",
        title: "Address of the service",
        description: "The Beckon service that does the work",
        required: true,
        default: siteUrl,
      },
      api_key: {
        type: "string",
        title: "API key",
        description: `Made at ${siteUrl}/dashboard/keys`,
        required: true,
        sensitive: true,
      },
    },
  };
}

/** The link by which Cursor adds the server (cursor.com/docs/mcp/install-links). */
export function cursorLink(site: Site): string {
  const config = Buffer.from(JSON.stringify({ url: remoteServer(site).url })).toString("base64");
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${PLUGIN.name}&config=${encodeURIComponent(config)}`;
}

/** The link by which VS Code adds the server (code.visualstudio.com/api/extension-guides/ai/mcp). */
export function codeLink(site: Site): string {
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: PLUGIN.name, ...remoteServer(site) }))}`;
}
