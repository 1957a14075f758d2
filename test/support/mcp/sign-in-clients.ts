import { randomUUID } from "node:crypto";
import type { OAuthClientInformationFull, OAuthTokens } from "@modelcontextprotocol/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { ToolResult } from "./clients.ts";

const REDIRECT = "http://127.0.0.1:7777/callback";

/** An app as the official clients want it: it keeps what they give it, and shows its user where to go. */
export class App {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = {
    client_name: "Test app",
    redirect_uris: [REDIRECT],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  /** Where the user has to go, from the moment the client says so. */
  asked: URL | null = null;
  kept: { client?: OAuthClientInformationFull; tokens?: OAuthTokens; verifier?: string } = {};

  state(): string {
    return randomUUID();
  }
  clientInformation() {
    return this.kept.client;
  }
  saveClientInformation(client: object): void {
    this.kept.client = client as OAuthClientInformationFull;
  }
  tokens() {
    return this.kept.tokens;
  }
  saveTokens(tokens: object): void {
    this.kept.tokens = tokens as OAuthTokens;
  }
  redirectToAuthorization(address: URL): void {
    this.asked = address;
  }
  saveCodeVerifier(verifier: string): void {
    this.kept.verifier = verifier;
  }
  codeVerifier(): string {
    return this.kept.verifier!;
  }
  invalidateCredentials(what: string): void {
    if (what === "all" || what === "client") delete this.kept.client;
    if (what === "all" || what === "tokens") delete this.kept.tokens;
  }
}

/** A client that signs in by itself, of whichever generation. */
export interface SignInClient {
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>;
  /** Goes on with what came back to the app. */
  finish(answer: URLSearchParams): Promise<void>;
  close(): Promise<void>;
}

async function firstGeneration(url: string, app: App): Promise<SignInClient> {
  const client = new FirstClient({ name: "first", version: "1.0.0" });
  const transport = new FirstHttp(new URL(url), { authProvider: app });
  await client.connect(transport as Transport);
  return {
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as unknown as ToolResult,
    finish: (answer) => transport.finishAuth(answer.get("code")!),
    close: () => client.close(),
  };
}

function secondGeneration(mode: "legacy" | { pin: string }) {
  return async (url: string, app: App): Promise<SignInClient> => {
    const client = new Client({ name: "second", version: "1.0.0" }, { versionNegotiation: { mode } });
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: app });
    await client.connect(transport);
    return {
      call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as unknown as ToolResult,
      finish: (answer) => transport.finishAuth(answer),
      close: () => client.close(),
    };
  };
}

export const SIGN_IN_CLIENTS: Record<string, (url: string, app: App) => Promise<SignInClient>> = {
  "sdk 1.32": firstGeneration,
  "client 2.4, 2025-11-25": secondGeneration("legacy"),
  "client 2.4, 2026-07-28": secondGeneration({ pin: "2026-07-28" }),
};
