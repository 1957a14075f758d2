import type { Config } from "../../src/platform/config/config.ts";
import { ICON_PATHS } from "../../src/platform/icons.ts";
import { SCOPE_WORDS } from "../../src/platform/principal.ts";
import { version } from "../../src/platform/version.ts";
import { X402_EXTENSIONS } from "../agent/payment.ts";
import { type AgentSkill, skillsOf } from "../skills.ts";
import { examplesOf } from "./examples.ts";

/** One of several alternatives, of which a client has to meet one (SecurityRequirement); an empty one needs no credential. */
export type Requirement = { readonly schemes?: Readonly<Record<string, { readonly list?: readonly string[] }>> };

export type SecurityScheme =
  | { readonly httpAuthSecurityScheme: { scheme: string; description: string } }
  | { readonly apiKeySecurityScheme: { location: string; name: string; description: string } }
  | { readonly oauth2SecurityScheme: { flows: { authorizationCode: object }; oauth2MetadataUrl: string } };

/** AgentCard of A2A 1.0 (a2a.proto, specification section 4.4). */
export interface AgentCard {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly provider: { readonly organization: string; readonly url: string };
  readonly documentationUrl: string;
  readonly iconUrl: string;
  /** The first is preferred. */
  readonly supportedInterfaces: readonly { url: string; protocolBinding: string; protocolVersion: string }[];
  readonly capabilities: {
    readonly streaming: boolean;
    readonly pushNotifications: boolean;
    readonly extendedAgentCard: boolean;
    readonly extensions?: readonly { uri: string; description: string }[];
  };
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  readonly securityRequirements: readonly Requirement[];
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly skills: readonly CardSkill[];
}

export interface CardSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
  readonly securityRequirements: readonly Requirement[];
}

const MODES = ["application/json", "text/plain"];

/** The card of this deployment, in the form of A2A 1.0. */
export function agentCard(config: Config): AgentCard {
  const { siteUrl } = config;
  const url = `${siteUrl}/a2a`;
  return {
    name: "Beckon",
    description:
      "Submits web pages to Google, Bing and Yandex, checks whether Google has indexed them, and returns the credits of those that it has not.",
    version,
    provider: { organization: new URL(siteUrl).host, url: siteUrl },
    documentationUrl: `${siteUrl}/docs/a2a`,
    iconUrl: `${siteUrl}${ICON_PATHS.png}`,
    supportedInterfaces: [
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ],
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: false,
      ...(config.direct ? { extensions: X402_EXTENSIONS.map((uri) => ({ uri, description: PAYMENT })) } : {}),
    },
    securitySchemes: securitySchemes(siteUrl),
    securityRequirements: requirements([]),
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills: skillsOf(config).map(cardSkill),
  };
}

const PAYMENT =
  "The skill pay_direct buys credits with a payment from the client's own wallet. No other skill needs the extension.";

function cardSkill(skill: AgentSkill): CardSkill {
  const { id, name, description, tags, scopes, operation } = skill;
  const isPublic = operation?.access.kind === "public";
  // In ProtoJSON an empty list is an absent one, and the card's would hold. One empty requirement means none, as in OpenAPI.
  const securityRequirements = isPublic ? [{}] : requirements(scopes);
  return { id, name, description, tags, examples: examplesOf(skill), securityRequirements };
}

function requirements(scopes: readonly string[]): Requirement[] {
  const list = scopes.length > 0 ? { list: scopes } : {};
  return [{ schemes: { bearer: {} } }, { schemes: { apiKey: {} } }, { schemes: { oauth2: list } }];
}

function securitySchemes(siteUrl: string): Record<string, SecurityScheme> {
  return {
    bearer: { httpAuthSecurityScheme: { scheme: "Bearer", description: "An API key or an access token." } },
    apiKey: { apiKeySecurityScheme: { location: "header", name: "X-API-Key", description: "An API key." } },
    oauth2: {
      oauth2SecurityScheme: {
        flows: {
          authorizationCode: {
            authorizationUrl: `${siteUrl}/oauth/authorize`,
            tokenUrl: `${siteUrl}/oauth/token`,
            refreshUrl: `${siteUrl}/oauth/token`,
            scopes: SCOPE_WORDS,
            pkceRequired: true,
          },
        },
        oauth2MetadataUrl: `${siteUrl}/.well-known/oauth-authorization-server`,
      },
    },
  };
}
