import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { type Command, type McpTarget, quiet, withKey } from "./clients.ts";

/** A client that hears of changes of resources, the same for the official clients of both generations. */
export interface Subscriber {
  /** Whether the server says that resources can be subscribed to. */
  readonly mayRely: boolean;
  /** URIs that it heard of, in order. */
  readonly updates: string[];
  /** @returns the URIs that it will hear of */
  subscribe(uris: readonly string[]): Promise<readonly string[]>;
  unsubscribe(uri: string): Promise<void>;
  close(): Promise<void>;
}

async function firstGeneration(target: McpTarget): Promise<Subscriber> {
  const client = new FirstClient({ name: "first", version: "1.0.0" });
  const updates: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updates.push(params.uri));
  // Its class and its interface disagree on optional properties under `exactOptionalPropertyTypes`.
  const transport =
    "url" in target ? new FirstHttp(new URL(target.url), withKey(target)) : new FirstStdio(quiet(target));
  await client.connect(transport as Transport);
  return {
    mayRely: client.getServerCapabilities()?.resources?.subscribe === true,
    updates,
    async subscribe(uris) {
      for (const uri of uris) await client.subscribeResource({ uri });
      return uris;
    },
    unsubscribe: async (uri) => void (await client.unsubscribeResource({ uri })),
    close: () => client.close(),
  };
}

function secondGeneration(mode: "legacy" | { pin: string }) {
  return async (target: McpTarget): Promise<Subscriber> => {
    const client = new Client({ name: "second", version: "1.0.0" }, { versionNegotiation: { mode } });
    const updates: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updates.push(params.uri));
    const http = "url" in target && new StreamableHTTPClientTransport(new URL(target.url), withKey(target));
    await client.connect(http || new StdioClientTransport(quiet(target as Command)));
    const streams: { readonly uris: readonly string[]; close(): Promise<void> }[] = [];
    return {
      mayRely: client.getServerCapabilities()?.resources?.subscribe === true,
      updates,
      async subscribe(uris) {
        if (mode === "legacy") {
          for (const uri of uris) await client.subscribeResource({ uri });
          return uris;
        }
        const stream = await client.listen({ resourceSubscriptions: [...uris] });
        streams.push({ uris, close: () => stream.close() });
        return stream.honoredFilter.resourceSubscriptions ?? [];
      },
      async unsubscribe(uri) {
        if (mode === "legacy") await client.unsubscribeResource({ uri });
        else for (const stream of streams) if (stream.uris.includes(uri)) await stream.close();
      },
      close: () => client.close(),
    };
  };
}

export const SUBSCRIBERS: Readonly<Record<string, (target: McpTarget) => Promise<Subscriber>>> = {
  "sdk 1.32": firstGeneration,
  "client 2.4, 2025-11-25": secondGeneration("legacy"),
  "client 2.4, 2026-07-28": secondGeneration({ pin: "2026-07-28" }),
};
