import { acceptedContent, inputRequired, type McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { PNG } from "./content.ts";
import { ask } from "./input-required.ts";

export function registerPrompts(mcp: McpServer): void {
  mcp.registerPrompt("test_simple_prompt", { description: "Without arguments" }, async () =>
    messages({ type: "text", text: "This is a simple prompt for testing." }),
  );
  const two = z.object({ arg1: z.string().describe("First"), arg2: z.string().describe("Second") });
  mcp.registerPrompt(
    "test_prompt_with_arguments",
    { description: "With two", argsSchema: two },
    async ({ arg1, arg2 }) => messages({ type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  );
  const one = z.object({ resourceUri: z.string().describe("What to embed") });
  mcp.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "Embeds", argsSchema: one },
    async ({ resourceUri: uri }) =>
      messages(
        { type: "resource", resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." } },
        { type: "text", text: "Please process the embedded resource above." },
      ),
  );
  mcp.registerPrompt("test_prompt_with_image", { description: "With an image" }, async () =>
    messages(
      { type: "image", data: PNG, mimeType: "image/png" },
      { type: "text", text: "Please analyze the image above." },
    ),
  );
  // Without a schema of arguments, the one thing a prompt is given is the context; the SDK's types do not say so.
  mcp.registerPrompt("test_input_required_result_prompt", { description: "Asks first" }, async (given: unknown) => {
    const { inputResponses } = (given as ServerContext).mcpReq;
    const context = acceptedContent<{ context: string }>(inputResponses, "user_context")?.context;
    if (context !== undefined) return messages({ type: "text", text: `Use the following context: ${context}` });
    return inputRequired({ inputRequests: { user_context: ask("What context should it use?", "context", "string") } });
  });
  mcp.server.registerCapabilities({ completions: {} });
  mcp.server.setRequestHandler("completion/complete", async () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}

type Content = Parameters<typeof content>[0];

function content(
  content:
    | { type: "text"; text: string }
    | { type: "image"; data: string; mimeType: string }
    | { type: "resource"; resource: { uri: string; mimeType: string; text: string } },
) {
  return { role: "user" as const, content };
}

function messages(...contents: Content[]) {
  return { messages: contents.map(content) };
}
