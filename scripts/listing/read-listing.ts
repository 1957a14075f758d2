import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport, type Tool } from "@modelcontextprotocol/client";
import { packageRoot } from "../../src/platform/package-root.ts";
import { PATHS } from "../../src/surfaces/discovery/paths.ts";

/**
 * The toolsets of the address that a directory lists. `credits` is not among them: both directories refuse what buys credits or
 * moves money in a conversation.
 */
export const LISTED_TOOLSETS = ["jobs", "sites", "watches", "results", "webhooks"];

/** What a service answered at an address. */
export interface Answer {
  /** Of the HTTP response; 0 if there was none. */
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

/** A view of MCP Apps, as its resource describes it. */
export interface View {
  readonly uri: string;
  readonly csp:
    | { readonly connectDomains?: readonly string[]; readonly resourceDomains?: readonly string[] }
    | undefined;
}

/** What a directory sees of a service: its own answers and the entry of the MCP registry. */
export interface Listing {
  readonly endpoint: string;
  readonly server: {
    readonly name: string;
    readonly title?: string | undefined;
    readonly icons?: readonly { readonly src: string; readonly mimeType?: string | undefined }[] | undefined;
  };
  readonly tools: readonly Tool[];
  readonly views: readonly View[];
  /** By path. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** `server.json` of this repository, and the manifest of the client package. */
  readonly registry: Record<string, unknown>;
  readonly client: Record<string, unknown>;
}

export const POLICY_PATHS = ["/privacy", "/terms", "/support"];
export const RESOURCE_METADATA = "/.well-known/oauth-protected-resource/mcp";
export const SERVER_METADATA = "/.well-known/oauth-authorization-server";

/**
 * Asks a running service what a directory would ask it, without a credential.
 * @param siteUrl its address, without a slash at the end
 * @throws Error if it does not speak MCP
 */
export async function readListing(siteUrl: string): Promise<Listing> {
  const endpoint = `${siteUrl}/mcp?toolsets=${LISTED_TOOLSETS.join(",")}`;
  const client = new Client({ name: "beckon-listing", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)));
  try {
    const server = client.getServerVersion()!;
    const { tools } = await client.listTools();
    const icon = server.icons?.find(({ mimeType }) => mimeType === "image/png")?.src;
    const paths = [...POLICY_PATHS, PATHS.openaiAppsChallenge, RESOURCE_METADATA, SERVER_METADATA];
    const answers = await Promise.all(paths.map(async (path) => [path, await answerAt(siteUrl + path)] as const));
    if (icon) answers.push(["icon", await answerAt(icon)]);
    return {
      endpoint,
      server,
      tools,
      views: await viewsOf(client, tools),
      answers: Object.fromEntries(answers),
      registry: manifest("server.json"),
      client: manifest("packages/client/package.json"),
    };
  } finally {
    await client.close();
  }
}

async function viewsOf(client: Client, tools: readonly Tool[]): Promise<View[]> {
  const uris = new Set(
    tools.flatMap(({ _meta }) => (_meta?.ui as { resourceUri?: string } | undefined)?.resourceUri ?? []),
  );
  return Promise.all(
    [...uris].map(async (uri) => {
      const { contents } = await client.readResource({ uri });
      const ui = contents[0]?._meta?.ui as Pick<View, "csp"> | undefined;
      return { uri, csp: ui?.csp };
    }),
  );
}

async function answerAt(url: string): Promise<Answer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, type: response.headers.get("content-type") ?? "", body };
  } catch {
    return { status: 0, type: "", body: Buffer.alloc(0) };
  }
}

function manifest(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(packageRoot, path), "utf8"));
}
