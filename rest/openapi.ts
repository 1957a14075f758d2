import { componentSchema, type JsonSchema } from "../src/contract/json-schema.ts";
import { errorsOf, isOfferedBy, isOn } from "../src/contract/operation.ts";
import type { Config } from "../src/platform/config/config.ts";
import { SCOPE_WORDS } from "../src/platform/principal.ts";
import { operations } from "../tools/index.ts";
import { withCodes } from "./openapi-codes.ts";
import { errorExampleComponents } from "./openapi-examples.ts";
import { operationObject } from "./openapi-operation.ts";
import { ERROR_SCHEMA } from "./openapi-responses.ts";
import { describedTags } from "./openapi-tags.ts";
import { PREFIX } from "./router.ts";

/**
 * The OpenAPI 3.1.1 document (JSON Schema 2020-12) of the REST API that this deployment offers, made from the operations, with
 * their prices for agents (draft-payment-discovery-00). Paths are whole, below the origin: agents that look up what an address
 * costs compare its path with the paths of the document, and do not read `servers` (AgentCash discovery, section 4; `mppx
 * validate`).
 */
export function openApiDocument(config: Config) {
  const { siteUrl } = config;
  const paths: Record<string, Record<string, object>> = {};
  const schemas: Record<string, JsonSchema> = { Error: ERROR_SCHEMA };
  const offered = operations.filter((one) => isOn(one, "rest") && isOfferedBy(one, config));
  for (const operation of offered) {
    const { method } = operation.rest;
    const path = PREFIX + operation.rest.path;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation, config) };
    Object.assign(schemas, componentSchema(operation).components);
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Beckon",
      version: "1.0.0",
      summary: "Submits web pages to search engines and checks whether they were indexed.",
      description:
        "Submits URLs to Google, Bing and Yandex, checks whether Google has indexed them, and returns the credits of those that it has not. Clients must ignore fields that they do not know.",
      termsOfService: `${siteUrl}/terms`,
      license: { name: "MIT", identifier: "MIT" },
      contact: contactObject(config),
    },
    "x-service-info": {
      categories: ["search", "developer-tools"],
      docs: { homepage: `${siteUrl}/`, apiReference: `${siteUrl}/openapi.json`, llms: `${siteUrl}/llms.txt` },
    },
    externalDocs: { description: "Documentation", url: `${siteUrl}/docs` },
    servers: [{ url: siteUrl }],
    tags: describedTags(offered),
    paths,
    components: {
      schemas: withCodes(schemas),
      examples: errorExampleComponents([...new Set(offered.flatMap(errorsOf))].sort(), config),
      securitySchemes: securitySchemes(siteUrl),
    },
  };
}

/** CONTACT, which may be an e-mail address, a URL or a name. Without an address, the documentation is where to begin. */
function contactObject({ contact, siteUrl }: Config): object {
  if (contact && /^https?:\/\//.test(contact)) return { url: contact };
  if (contact && /^[^@/:]+@[^@/:]+$/.test(contact)) return { email: contact };
  return { ...(contact ? { name: contact } : {}), url: `${siteUrl}/docs` };
}

function securitySchemes(siteUrl: string) {
  return {
    bearer: { type: "http", scheme: "bearer", description: "An API key or an access token." },
    apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
    oauth2: {
      type: "oauth2",
      flows: {
        authorizationCode: {
          authorizationUrl: `${siteUrl}/oauth/authorize`,
          tokenUrl: `${siteUrl}/oauth/token`,
          refreshUrl: `${siteUrl}/oauth/token`,
          scopes: SCOPE_WORDS,
        },
      },
    },
  };
}
