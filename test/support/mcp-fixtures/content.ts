import type { ContentBlock, McpServer } from "@modelcontextprotocol/server";

/** One red pixel, and a WAV file without a sound. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

/** Tools that answer one kind of content each, and one that fails. */
export function registerContent(mcp: McpServer): void {
  for (const [name, content] of Object.entries(CONTENT)) {
    mcp.registerTool(name, { description: "Answers fixed content" }, async () => ({ content }));
  }
  mcp.registerTool("test_error_handling", { description: "Fails" }, async () => {
    throw new Error("This tool fails on purpose");
  });
}

const CONTENT: Record<string, ContentBlock[]> = {
  test_simple_text: [{ type: "text", text: "This is a simple text response for testing." }],
  test_image_content: [{ type: "image", data: PNG, mimeType: "image/png" }],
  test_audio_content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }],
  test_embedded_resource: [
    { type: "resource", resource: { uri: "test://embedded", mimeType: "text/plain", text: "An embedded resource." } },
  ],
  test_multiple_content_types: [
    { type: "text", text: "Multiple content types test:" },
    { type: "image", data: PNG, mimeType: "image/png" },
    { type: "resource", resource: { uri: "test://mixed", mimeType: "application/json", text: '{"test":"data"}' } },
  ],
  test_streaming_elicitation: [{ type: "text", text: "No request of its own on this stream" }],
};
