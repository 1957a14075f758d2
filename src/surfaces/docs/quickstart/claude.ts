import type { Config } from "../../../platform/config/config.ts";
import type { Document } from "../document.ts";
import { fenced, json, page } from "../markdown.ts";
import { keyAdvice, NEXT_STEPS } from "./shared-text.ts";

export function claudeQuickstart(config: Config): Document {
  const { siteUrl } = config;
  return {
    path: "/docs/quickstart/claude",
    title: "Claude and other MCP hosts",
    summary: "Connect an MCP host: Claude Code, Claude Desktop and web, any other by JSON.",
    section: "Begin",
    markdown: page(
      "# Claude and other MCP hosts",
      `The MCP server is at \`${siteUrl}/mcp\` (Streamable HTTP, no sessions). A host that speaks OAuth needs nothing but this
address: it finds its way from the first 401, registers itself, and you allow it in the browser. A host that can send a
header takes an API key instead.`,
      keyAdvice(config),
      "## Claude Code",
      "With a browser to sign in by:",
      fenced("sh", `claude mcp add --transport http beckon ${siteUrl}/mcp`),
      "Then `/mcp` in a session begins the sign-in. With a key:",
      fenced(
        "sh",
        `claude mcp add --transport http beckon ${siteUrl}/mcp --header "Authorization: Bearer $BECKON_API_KEY"`,
      ),
      "## Claude Desktop and on the web",
      `In the settings, under connectors, add a custom connector with the address \`${siteUrl}/mcp\` and connect it. You sign in
here and tick what it may do. Connectors are called from the servers of Claude's maker, also those of the desktop app, so
that the address has to be reachable from the internet over https. For a service on your own machine use stdio, below.`,
      "## Other hosts, over HTTP",
      "Most read a JSON file of this form; the name of the outermost field differs:",
      json({
        mcpServers: {
          beckon: {
            type: "http",
            url: `${siteUrl}/mcp`,
            headers: { Authorization: "Bearer YOUR_BECKON_API_KEY" },
          },
        },
      }),
      "## Hosts that start a program (stdio)",
      `From a checkout in which \`npm run build\` was run. It forwards to the service in \`BECKON_URL\`; without that it works on
the local database.`,
      json({
        mcpServers: {
          beckon: {
            command: "node",
            args: ["/path/to/beckon/dist/src/main.js", "mcp"],
            env: { BECKON_URL: siteUrl, BECKON_API_KEY: "YOUR_BECKON_API_KEY" },
          },
        },
      }),
      "Where the package is installed in the host's folder, `npx beckon mcp` starts the same.",
      "## First words",
      `> What would it cost to get https://example.com/sitemap.xml indexed, and do I have the credits?

It reads the sitemap, says the price, and submits when you say so. [What the server offers](/docs/mcp)`,
      "## Then",
      NEXT_STEPS,
    ),
  };
}
