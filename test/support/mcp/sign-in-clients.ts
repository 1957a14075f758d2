import { randomUUID } from "node:crypto";
import type { OAuthClientInformationFull, OAuthTokens } from "@modelcontextprotocol/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { ToolResult } from "./clients.ts";

const REDIRECT = "http://127.0.0.1:7777/callback";

/** The OAuth provider that the official clients need: it stores their credentials, and the address for the user. */
export class App {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = {
    client_name: "Test app",
    redirect_uris: [REDIRECT],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  /** Address where the user has to sign in, once the client asks for it. */
  authorizationUrl: URL | null = null;
  stored: { client?: OAuthClientInformationFull; tokens?: OAuthTokens; verifier?: string } = {};

  state(): string {
    return randomUUID();
  }
  clientInformation() {
    return this.stored.client;
  }
  saveClientInformation(client: object): void {
    this.stored.client = client as OAuthClientInformationFull;
  }
  tokens() {
    return this.stored.tokens;
  }
  saveTokens(tokens: object): void {
    this.stored.tokens = tokens as OAuthTokens;
  }
  redirectToAuthorization(address: URL): void {
    this.authorizationUrl = address;
  }
  saveCodeVerifier(verifier: string): void {
    this.stored.verifier = verifier;
  }
  codeVerifier(): string {
    return this.stored.verifier!;
  }
  invalidateCredentials(what: string): void {
    if (what === "all" || what === "client") delete this.stored.client;
    if (what === "all" || what === "tokens") delete this.stored.tokens;
  }
}

/** A client that starts the sign-in by itself, in the same form for each SDK. */
export interface SignInClient {
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>;
  /** Finishes the sign-in with the parameters of the redirect. */
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
