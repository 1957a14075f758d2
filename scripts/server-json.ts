import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SETTINGS } from "../src/platform/config/config.ts";
import { packageRoot } from "../src/platform/package-root.ts";
import { CARD_DESCRIPTION, CREDENTIAL_HEADER } from "../src/surfaces/mcp/server-card.ts";

/** The settings that a client of the stdio server is asked for. */
const ASKED = [
  { name: "BECKON_API_KEY", isRequired: true },
  { name: "BECKON_URL", isRequired: false },
] as const;

/**
 * The entry of the MCP registry (schema of 2025-12-11): the package, which speaks stdio, and a service that somebody
 * runs. `name` is package.json's `mcpName`, which is how the registry knows that the package and the entry are of one owner.
 */
export function serverJson(): object {
  const { name, mcpName, version } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: mcpName,
    title: "Beckon",
    description: CARD_DESCRIPTION,
    version,
    packages: [
      {
        registryType: "npm",
        identifier: name,
        version,
        runtimeHint: "npx",
        transport: { type: "stdio" },
        packageArguments: [{ type: "positional", value: "mcp" }],
        environmentVariables: ASKED.map((asked) => {
          const { about, secret } = SETTINGS[asked.name];
          return { ...asked, isSecret: secret === true, description: about };
        }),
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
