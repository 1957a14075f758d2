import { readFileSync } from "node:fs";
import { Ajv, type Schema } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/**
 * The schemas of the MCP registry (static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json) and of the server
 * card (modelcontextprotocol/experimental-ext-server-card, schema.json, v1), reduced to the members that we write. They are
 * stricter than the originals: unknown members are refused.
 */

const text = (maxLength = 10_000) => ({ type: "string", minLength: 1, maxLength });
const closed = (required: readonly string[], properties: object) => ({
  type: "object",
  required,
  additionalProperties: false,
  properties,
});

const INPUT = {
  description: text(),
  isRequired: { type: "boolean" },
  isSecret: { type: "boolean" },
  format: { enum: ["string", "number", "boolean", "filepath"] },
  default: { type: "string" },
  placeholder: { type: "string" },
  value: { type: "string" },
  choices: { type: "array", items: { type: "string" } },
};
const NAMED = closed(["name"], { ...INPUT, name: text() });

const IDENTITY = {
  name: { type: "string", minLength: 3, maxLength: 200, pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" },
  title: text(100),
  description: text(100),
  // One version; the registry refuses ranges.
  version: { type: "string", maxLength: 255, pattern: "^\\d+\\.\\d+\\.\\d+(-[\\w.]+)?$" },
  websiteUrl: { type: "string", format: "uri" },
};

const REMOTE = {
  type: { const: "streamable-http" },
  url: { type: "string", pattern: "^(https?://\\S+|\\{[a-zA-Z_]\\w*\\}\\S*)$" },
  headers: { type: "array", items: NAMED },
  variables: { type: "object", additionalProperties: closed([], INPUT) },
};

export const SERVER_JSON_RULES: Schema = closed(["$schema", "name", "description", "version"], {
  ...IDENTITY,
  $schema: { const: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json" },
  repository: closed(["url", "source"], { url: { type: "string", format: "uri" }, source: text() }),
  packages: {
    type: "array",
    items: closed(["registryType", "identifier", "version", "transport"], {
      registryType: { enum: ["npm"] },
      identifier: text(),
      version: { ...IDENTITY.version, not: { const: "latest" } },
      runtimeHint: { enum: ["npx"] },
      transport: closed(["type"], { type: { const: "stdio" } }),
      packageArguments: {
        type: "array",
        items: closed(["type", "value"], { ...INPUT, type: { const: "positional" } }),
      },
      environmentVariables: { type: "array", items: NAMED },
    }),
  },
  remotes: { type: "array", items: closed(["type", "url"], REMOTE) },
});

export const SERVER_CARD_RULES: Schema = closed(["$schema", "name", "description", "version"], {
  ...IDENTITY,
  $schema: { const: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json" },
  icons: {
    type: "array",
    items: closed(["src"], {
      src: { type: "string", format: "uri" },
      mimeType: { enum: ["image/png", "image/jpeg", "image/svg+xml", "image/webp"] },
      sizes: { type: "array", items: { type: "string", pattern: "^(\\d+x\\d+|any)$" } },
    }),
  },
  remotes: {
    type: "array",
    items: closed(["type", "url"], {
      ...REMOTE,
      supportedProtocolVersions: { type: "array", items: { type: "string", format: "date" } },
    }),
  },
});

const AUTHOR = closed(["name"], { name: text(), url: { type: "string", format: "uri" } });
const WORDS = { type: "array", items: text() };
const KEBAB = { type: "string", pattern: "^[a-z0-9]+(-[a-z0-9]+)*$" };
const FOLDER = { type: "string", pattern: "^\\./\\S+$" };
const WEB = { type: "string", format: "uri", pattern: "^https?://" };
const FACTS = {
  name: KEBAB,
  version: IDENTITY.version,
  description: text(),
  author: AUTHOR,
  homepage: WEB,
  license: text(),
  keywords: WORDS,
};

/** Plugins of Claude Code (code.claude.com/docs/en/plugins-reference), reduced in the same way. */
export const CLAUDE_PLUGIN_RULES: Schema = closed(["name"], FACTS);

export const CLAUDE_MARKETPLACE_RULES: Schema = closed(["name", "owner", "plugins"], {
  name: KEBAB,
  owner: AUTHOR,
  metadata: closed([], { description: text(), version: IDENTITY.version }),
  plugins: { type: "array", items: closed(["name", "source"], { ...FACTS, category: text(), source: FOLDER }) },
});

/** Plugins of Codex (developers.openai.com/codex/plugins/build). */
export const CODEX_PLUGIN_RULES: Schema = closed(["name", "version", "description", "interface"], {
  ...FACTS,
  skills: FOLDER,
  mcpServers: FOLDER,
  interface: closed(["displayName", "shortDescription", "developerName", "category"], {
    ...{
      displayName: text(),
      shortDescription: text(),
      longDescription: text(),
      developerName: text(),
      category: text(),
    },
    ...{ capabilities: WORDS, defaultPrompt: WORDS, websiteURL: WEB, privacyPolicyURL: WEB, termsOfServiceURL: WEB },
  }),
});

export const CODEX_MARKETPLACE_RULES: Schema = closed(["name", "plugins"], {
  name: KEBAB,
  interface: closed(["displayName"], { displayName: text() }),
  plugins: {
    type: "array",
    items: closed(["name", "source", "policy", "category"], {
      name: KEBAB,
      source: closed(["source", "path"], { source: { const: "local" }, path: FOLDER }),
      policy: closed(["installation", "authentication"], {
        installation: { enum: ["AVAILABLE", "INSTALLED_BY_DEFAULT", "NOT_AVAILABLE"] },
        authentication: { enum: ["ON_INSTALL", "ON_USE"] },
      }),
      category: text(),
    }),
  },
});

/** An extension of Gemini CLI (geminicli.com/docs/extensions/reference). */
export const GEMINI_EXTENSION_RULES: Schema = closed(["name", "version"], {
  ...{ name: KEBAB, version: IDENTITY.version, description: text() },
  mcpServers: { type: "object", additionalProperties: closed(["httpUrl"], { httpUrl: WEB }) },
});

/** An MCP bundle (schemas/mcpb-manifest-v0.3.schema.json of @anthropic-ai/mcpb). */
export const BUNDLE_RULES: Schema = closed(["manifest_version", "name", "version", "description", "author", "server"], {
  ...FACTS,
  manifest_version: { const: "0.3" },
  display_name: text(),
  ...{ documentation: WEB, support: WEB, privacy_policies: { type: "array", items: WEB } },
  server: closed(["type", "entry_point", "mcp_config"], {
    type: { const: "node" },
    entry_point: text(),
    mcp_config: closed(["command"], {
      ...{ command: text(), args: WORDS, env: { type: "object", additionalProperties: { type: "string" } } },
    }),
  }),
  ...{ tools_generated: { type: "boolean" }, prompts_generated: { type: "boolean" } },
  compatibility: closed([], {
    platforms: { type: "array", items: { enum: ["darwin", "win32", "linux"] } },
    runtimes: closed([], { node: text() }),
  }),
  user_config: {
    type: "object",
    additionalProperties: closed(["type", "title", "description"], {
      ...{ type: { enum: ["string", "number", "boolean"] }, title: text(), description: text(), default: text() },
      ...{ required: { type: "boolean" }, sensitive: { type: "boolean" } },
    }),
  },
});

/** Validates a value by one of the schemas above. @returns one message for each violation */
export function violations(rules: Schema, value: unknown): string[] {
  return errorsBy(new Ajv({ allErrors: true, strictTypes: false }), rules, value);
}

/**
 * Validates a value by a schema file as its owner publishes it.
 * @param definition name of one of the schema's definitions; default: the whole schema
 */
export function officialViolations(file: string, value: unknown, definition?: string): string[] {
  const schema = JSON.parse(readFileSync(file, "utf8"));
  const ajv = schema.$schema?.includes("2020-12") ? new Ajv2020({ strict: false }) : new Ajv({ strict: false });
  return errorsBy(ajv, definition ? { ...schema, $ref: `#/$defs/${definition}` } : schema, value);
}

function errorsBy(ajv: Ajv, schema: Schema, value: unknown): string[] {
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
}
