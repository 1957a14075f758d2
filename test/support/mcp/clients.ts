import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** The part of a tool result that tests check, the same for each client. */
export interface ToolResult {
  readonly content: { type: string; text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
  readonly _meta?: Record<string, unknown>;
}

export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly inputSchema: { type: string; properties?: Record<string, unknown> };
  readonly outputSchema?: object;
  readonly annotations?: Record<string, unknown>;
}

/** A common interface for the official clients of both generations. */
export interface ToolClient {
  readonly protocolVersion: string | undefined;
  readonly instructions: string | undefined;
  list(): Promise<ListedTool[]>;
  call(name: string, args?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<ToolResult>;
  close(): Promise<void>;
}

export interface Command {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly cwd: string;
}

/** An MCP server: a service over HTTP, or a command over stdio. */
export type McpTarget = { readonly url: string; readonly key?: string } | Command;

/** The first generation's client, of the protocol until 2025-11-25. */
async function firstGeneration(target: McpTarget): Promise<ToolClient> {
  const client = new FirstClient({ name: "first", version: "1.0.0" });
  const transport =
    "url" in target ? new FirstHttp(new URL(target.url), withKey(target)) : new FirstStdio(quiet(target));
  // Its class and its interface disagree on optional properties under `exactOptionalPropertyTypes`.
  await client.connect(transport as Transport);
  return {
    protocolVersion: "url" in target ? (transport as FirstHttp).protocolVersion : undefined,
    instructions: client.getInstructions(),
    list: async () => (await client.listTools()).tools as ListedTool[],
    call: async (name, args = {}, _meta = {}) =>
      (await client.callTool({ name, arguments: args, _meta })) as unknown as ToolResult,
    close: () => client.close(),
  };
}

/** The second generation's client: with `initialize`, as it comes, or pinned to 2026-07-28. */
function secondGeneration(mode: "legacy" | { pin: string }) {
  return async (target: McpTarget): Promise<ToolClient> => {
    const client = new Client({ name: "second", version: "1.0.0" }, { versionNegotiation: { mode } });
    const http = "url" in target && new StreamableHTTPClientTransport(new URL(target.url), withKey(target));
    await client.connect(http || new StdioClientTransport(quiet(target as Command)));
    return {
      protocolVersion: client.getNegotiatedProtocolVersion(),
      instructions: client.getInstructions(),
      list: async () => (await client.listTools()).tools as ListedTool[],
      call: async (name, args = {}, _meta = {}) =>
        (await client.callTool({ name, arguments: args, _meta })) as unknown as ToolResult,
      close: () => client.close(),
    };
  };
}

export const CLIENTS: Record<string, (target: McpTarget) => Promise<ToolClient>> = {
  "sdk 1.32": firstGeneration,
  "client 2.4, 2025-11-25": secondGeneration("legacy"),
  "client 2.4, 2026-07-28": secondGeneration({ pin: "2026-07-28" }),
};

export function withKey({ key }: { readonly key?: string }) {
  return { requestInit: { headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } } };
}

export function quiet(command: Command) {
  return { ...command, stderr: "pipe" as const };
}
