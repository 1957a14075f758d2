import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import type { Config } from "../../platform/config/config.ts";
import { iconsOf } from "../../platform/icons.ts";
import { version } from "../../platform/version.ts";

/** At most 100 characters. */
export const CARD_DESCRIPTION =
  "Submits pages to Google, Bing and Yandex, checks them, and returns credits for those not indexed.";

/** The credential header, as registries and cards describe it. */
export const CREDENTIAL_HEADER = {
  name: "Authorization",
  description: "`Bearer` and an API key, if the client does not sign in by OAuth. Prices and estimates need none.",
  isSecret: true,
} as const;

/** The version without a handshake; the SDK's list has only versions with one. */
const MODERN = "2026-07-28";

/**
 * The server card, by which a client knows the MCP server before it connects (SEP-2127, schema v1 of
 * modelcontextprotocol/experimental-ext-server-card). The namespace of its name is the deployment's host.
 */
export function serverCard({ siteUrl }: Pick<Config, "siteUrl">): object {
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name: `${namespaceOf(siteUrl)}/beckon`,
    title: "Beckon",
    description: CARD_DESCRIPTION,
    version,
    websiteUrl: `${siteUrl}/docs/mcp`,
    icons: iconsOf(siteUrl),
    remotes: [
      {
        type: "streamable-http",
        url: `${siteUrl}/mcp`,
        supportedProtocolVersions: [MODERN, ...SUPPORTED_PROTOCOL_VERSIONS],
        headers: [CREDENTIAL_HEADER],
      },
    ],
  };
}

/** The host name in reverse order, `com.example`; an IP address stays in order, without characters that a name may not have. */
function namespaceOf(siteUrl: string): string {
  const { hostname } = new URL(siteUrl);
  const isName = /[a-z]$/.test(hostname);
  return isName ? hostname.split(".").reverse().join(".") : hostname.replace(/[^\d.-]+/g, "-");
}
