import type { Config } from "../../../platform/config/config.ts";
import { clientSpecifier } from "../../install/client-package.ts";
import type { Document } from "../document.ts";
import { fenced, json, page } from "../markdown.ts";
import { keyAdvice, NEXT_STEPS } from "./shared-text.ts";

export function claudeQuickstart(config: Config): Document {
  const { siteUrl } = config;
  return {
    path: "/docs/quickstart/claude",
    title: "Claude and other MCP hosts",
    summary: "Connect Claude Code, Claude Desktop, Claude on the web, or any other MCP host.",
    section: "Get started",
    markdown: page(
      "# Claude and other MCP hosts",
      `The MCP server is at \`${siteUrl}/mcp\` (Streamable HTTP). A host that supports OAuth needs only this
address: it registers itself, and you allow it in the browser. A host that can send a header can use an API key
instead.`,
      keyAdvice(config),
      "## Claude Code",
      "If you can sign in with a browser:",
      fenced("sh", `claude mcp add --transport http beckon ${siteUrl}/mcp`),
      "Then type `/mcp` in a session to sign in. With an API key:",
      fenced(
        "sh",
        `claude mcp add --transport http beckon ${siteUrl}/mcp --header "Authorization: Bearer $BECKON_API_KEY"`,
      ),
      "## Claude Desktop and on the web",
      `In the settings, under connectors, add a custom connector with the address \`${siteUrl}/mcp\` and connect it. You sign in
here and tick its permissions. Connectors are called from Anthropic's servers, those of the desktop app too, so the address
has to be reachable from the internet over https. For a service on your own machine use stdio, see below.`,
      "## Other hosts, over HTTP",
      "Most hosts read a JSON file like this one; the name of the outermost field differs:",
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
      `It needs Node.js 20.19 or newer. The program is the client that this service serves; it forwards to \`BECKON_URL\`, and
npm installs nothing else.`,
      json({
        mcpServers: {
          beckon: {
            command: "npx",
            args: ["-y", clientSpecifier(config), "mcp"],
            env: { BECKON_URL: siteUrl, BECKON_API_KEY: "YOUR_BECKON_API_KEY" },
          },
        },
      }),
      "## A first question",
      `> What would it cost to get https://example.com/sitemap.xml indexed, and do I have the credits?

It reads the sitemap, tells you the price, and submits the pages if you agree. [What the server offers](/docs/mcp)`,
      "## Next steps",
      NEXT_STEPS,
    ),
  };
}
