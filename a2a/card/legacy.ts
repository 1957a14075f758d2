import type { AgentCard, CardSkill, Requirement, SecurityScheme } from "./card.ts";

/** The same card in the form of A2A 0.3 (section 5.5). */
export function legacyCard(card: AgentCard) {
  const { name, description, version, provider, documentationUrl, iconUrl, capabilities } = card;
  const { extendedAgentCard, ...others } = capabilities;
  const { url } = card.supportedInterfaces[0]!;
  return {
    protocolVersion: "0.3.0",
    name,
    description,
    version,
    url,
    preferredTransport: "JSONRPC",
    additionalInterfaces: [{ url, transport: "JSONRPC" }],
    provider,
    documentationUrl,
    iconUrl,
    capabilities: others,
    supportsAuthenticatedExtendedCard: extendedAgentCard,
    securitySchemes: mapped(card.securitySchemes, legacyScheme),
    security: card.securityRequirements.map(legacyRequirement),
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills.map(legacySkill),
  };
}

/** The Security Scheme Object of OpenAPI 3.0. */
function legacyScheme(scheme: SecurityScheme): object {
  if ("httpAuthSecurityScheme" in scheme) return { type: "http", ...scheme.httpAuthSecurityScheme };
  if ("apiKeySecurityScheme" in scheme) {
    const { location, ...others } = scheme.apiKeySecurityScheme;
    return { type: "apiKey", in: location, ...others };
  }
  const { flows, oauth2MetadataUrl } = scheme.oauth2SecurityScheme;
  const { pkceRequired: _, ...authorizationCode } = flows.authorizationCode as Record<string, unknown>;
  return { type: "oauth2", flows: { authorizationCode }, oauth2MetadataUrl };
}

function legacySkill({ securityRequirements, ...skill }: CardSkill) {
  return { ...skill, security: securityRequirements.map(legacyRequirement) };
}

function legacyRequirement({ schemes = {} }: Requirement): Record<string, readonly string[]> {
  return mapped(schemes, ({ list = [] }) => list);
}

function mapped<T, R>(from: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, change(value)]));
}
