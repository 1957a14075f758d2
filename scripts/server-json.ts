import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../src/platform/package-root.ts";
import { CARD_DESCRIPTION, CREDENTIAL_HEADER } from "../src/surfaces/mcp/server-card.ts";

/** The variables that a client of the stdio server is asked for. */
const ASKED = [
  { name: "BECKON_URL", isSecret: false, description: "Address of the Beckon service that does the work" },
  { name: "BECKON_API_KEY", isSecret: true, description: "API key of that service" },
];

interface ClientManifest {
  readonly name: string;
  readonly mcpName: string;
  readonly version: string;
  readonly repository?: { readonly url: string };
  readonly homepage?: string;
}

function clientManifest(): ClientManifest {
  return JSON.parse(readFileSync(join(packageRoot, "packages/client/package.json"), "utf8"));
}

/** The host of a repository, as the registry names it. */
function sourceOf(url: string): string {
  return new URL(url.replace(/^git\+/, "")).hostname.split(".").at(-2) ?? "git";
}

/**
 * The entry of the MCP registry (schema of 2025-12-11): the package, which speaks stdio, and a service that somebody
 * runs. `name` is the `mcpName` of the package, which is how the registry knows that the package and the entry are of one owner.
 * @param manifest the package.json of the client. Its `repository` and `homepage` appear in the entry where they are set.
 */
export function serverJson(manifest: ClientManifest = clientManifest()): object {
  const { name, mcpName, version, repository, homepage } = manifest;
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: mcpName,
    title: "Beckon",
    description: CARD_DESCRIPTION,
    version,
    ...(repository
      ? { repository: { url: repository.url.replace(/^git\+/, ""), source: sourceOf(repository.url) } }
      : {}),
    ...(homepage ? { websiteUrl: homepage } : {}),
    packages: [
      {
        registryType: "npm",
        identifier: name,
        version,
        runtimeHint: "npx",
        transport: { type: "stdio" },
        packageArguments: [{ type: "positional", value: "mcp" }],
        environmentVariables: ASKED.map(({ name, ...more }) => ({ name, isRequired: true, ...more })),
      },
    ],
    remotes: [
      {
        type: "streamable-http",
        url: "https://{host}/mcp",
        variables: {
          host: {
            description: "Host of the Beckon service that you use or run",
            isRequired: true,
            placeholder: "beckon.example.com",
          },
        },
        headers: [CREDENTIAL_HEADER],
      },
    ],
  };
}
