import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { App } from "../support/mcp/sign-in-clients.ts";
import { json } from "./rest.ts";
import type { Explorer } from "./world.ts";

/**
 * By MCP: the origin's AI catalog names the server card, that the address; tools are found in the list, and the client
 * signs in by itself once a call needs it.
 */
export async function mcpExplorer(origin: string): Promise<Explorer> {
  const catalog = await json(`${origin}/.well-known/ai-catalog.json`);
  const entry = catalog.entries.find(({ type }: { type: string }) => type === "application/mcp-server-card+json");
  const card = await json(entry.url);
  const app = new App();
  const client = new Client({ name: "explorer", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const transport = new StreamableHTTPClientTransport(new URL(card.remotes[0].url), { authProvider: app });
  await client.connect(transport);
  const { tools } = await client.listTools();

  // biome-ignore lint/suspicious/noExplicitAny: what a tool answers, whatever it is
  async function call(words: RegExp, input: Record<string, unknown>): Promise<any> {
    const tool = tools.find(({ title }) => words.test(title ?? ""))!;
    const result = await client.callTool({ name: tool.name, arguments: input });
    if (result.isError) throw new Error(JSON.stringify(result.content));
    return result.structuredContent;
  }

  return {
    estimate: (urls) => call(/^estimate/i, { urls }),
    async signIn(allow) {
      const asked = await call(/read the account/i, {}).catch((thrown: unknown) => thrown);
      if (!(asked instanceof UnauthorizedError) || !app.authorizationUrl)
        throw new Error(`nobody was asked to sign in: ${asked}`);
      await transport.finishAuth((await allow.consent(app.authorizationUrl)).searchParams);
    },
    buy: async () => (await call(/credits by card/i, { pack: "basic" })).checkout_url,
    submit: async (urls) => (await call(/^submit urls/i, { urls })).project.id,
    outcome: (projectId) => call(/^read a project/i, { project_id: projectId }),
    close: () => client.close(),
  };
}
