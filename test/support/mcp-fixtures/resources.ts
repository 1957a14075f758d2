import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { PNG } from "./content.ts";

export function registerResources(mcp: McpServer): void {
  for (const [name, { mimeType, ...data }] of Object.entries(FIXED)) {
    const uri = `test://${name}`;
    mcp.registerResource(name, uri, { title: name, description: "Fixed", mimeType }, async () => ({
      contents: [{ uri, mimeType, ...data }],
    }));
  }
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  const config = { title: "Template", description: "By id", mimeType: "application/json" };
  mcp.registerResource("template", template, config, async ({ href: uri }, { id }) => ({
    contents: [{ uri, mimeType: "application/json", text: JSON.stringify({ id, data: `Data for ID: ${id}` }) }],
  }));
  mcp.server.setRequestHandler("resources/subscribe", async () => ({}));
  mcp.server.setRequestHandler("resources/unsubscribe", async () => ({}));
}

const FIXED = {
  "static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "static-binary": { mimeType: "image/png", blob: PNG },
  "watched-resource": { mimeType: "text/plain", text: "Watched resource content" },
};
