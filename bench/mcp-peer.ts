import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { measured } from "./measured.ts";

/** The peer of `bench/mcp.ts`: the SDK's own server as its documentation shows it, with one tool that does nothing. */
const handler = createMcpHandler(() => {
  const mcp = new McpServer({ name: "peer", version: "1.0.0" });
  mcp.registerTool("nothing", { description: "Does nothing." }, async () => ({
    content: [{ type: "text", text: "done" }],
  }));
  return mcp;
});
const handle = toNodeHandler(handler);
const server = createServer((req, res) => void handle(req as NodeIncomingMessageLike, res));
server.listen(0, "127.0.0.1", () => {
  measured({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
});
