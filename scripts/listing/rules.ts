import { isIP } from "node:net";
import { PATHS } from "../../src/surfaces/discovery/paths.ts";
import { operationOf } from "../../src/surfaces/mcp/tools.ts";
import { NEGATIVE_PROMPTS, TEST_PROMPTS } from "./prompts.ts";
import { type Answer, type Listing, POLICY_PATHS, RESOURCE_METADATA, SERVER_METADATA } from "./read-listing.ts";
import { APP_INFO } from "./submission.ts";

const OPENAI_GUIDELINES = "https://developers.openai.com/plugins/plugin-guidelines";
/** What the form imports: the skill chatgpt-app-submission of this repository. */
const OPENAI_FORM = "https://github.com/openai/plugins";
const CLAUDE_GUIDE = "https://support.claude.com/en/articles/12922490-remote-mcp-server-submission-guide";
const CLAUDE_POLICY = "https://support.claude.com/en/articles/13145358-anthropic-software-directory-policy";
const REGISTRY = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** A published rule of a directory. */
export interface Rule {
  readonly directory: "ChatGPT" | "Claude" | "MCP registry";
  /** What the directory asks. */
  readonly asks: string;
  /** What of ours answers it. */
  readonly answer: string;
  readonly source: string;
  /** What of a listing does not hold to it; empty if all does. */
  problems(listing: Listing): readonly string[];
}

export const RULES: readonly Rule[] = [
  {
    directory: "ChatGPT",
    asks: "The server has a public https address, not a test address",
    answer: "`SITE_URL`, behind a proxy with a certificate",
    source: OPENAI_GUIDELINES,
    problems: ({ endpoint }) => (isPublic(new URL(endpoint)) ? [] : [`${new URL(endpoint).origin} is not public`]),
  },
  {
    directory: "ChatGPT",
    asks: "A token proves that the host is yours",
    answer: "`OPENAI_APPS_CHALLENGE`, served as text",
    source: OPENAI_GUIDELINES,
    problems: ({ answers }) => missing(answers, [PATHS.openaiAppsChallenge], "text/plain"),
  },
  {
    directory: "ChatGPT",
    asks: "Each tool sets readOnlyHint, destructiveHint and openWorldHint",
    answer: "derived from what the operation does",
    source: OPENAI_FORM,
    problems: ({ tools }) =>
      tools.flatMap(({ name, annotations }) =>
        ["readOnlyHint", "destructiveHint", "openWorldHint"].flatMap((hint) =>
          typeof (annotations as Record<string, unknown> | undefined)?.[hint] === "boolean"
            ? []
            : [`${name} has no ${hint}`],
        ),
      ),
  },
  {
    directory: "ChatGPT",
    asks: "Each tool describes what it answers (outputSchema)",
    answer: "the schema of the operation",
    source: OPENAI_FORM,
    problems: ({ tools }) =>
      tools.flatMap(({ name, outputSchema }) => (outputSchema ? [] : [`${name} has no outputSchema`])),
  },
  {
    directory: "ChatGPT",
    asks: "Views name what they load, as narrowly as they can",
    answer: "our views load nothing",
    source: OPENAI_FORM,
    problems: ({ views }) => views.flatMap(({ uri, csp }) => (csp && !isWide(csp) ? [] : [`${uri} may load anything`])),
  },
  {
    directory: "ChatGPT",
    asks: "No tool asks for passwords, codes or numbers of cards",
    answer: "no field of an input is one",
    source: OPENAI_FORM,
    problems: ({ tools }) =>
      tools.flatMap(({ name, inputSchema }) =>
        Object.keys(inputSchema.properties ?? {}).flatMap((field) =>
          /password|passcode|one_time|otp|pin$|card|cvc|iban|ssn|private_key/i.test(field)
            ? [`${name} asks for ${field}`]
            : [],
        ),
      ),
  },
  {
    directory: "ChatGPT",
    asks: "A name, a subtitle of at most 30 characters, five prompts and three that must call nothing",
    answer: "`npm run listing -- --chatgpt FILE` writes them for the form",
    source: OPENAI_FORM,
    problems: ({ tools }) => [
      ...(APP_INFO.subtitle.length <= 30 ? [] : ["the subtitle is too long"]),
      ...(TEST_PROMPTS.length === 5 && NEGATIVE_PROMPTS.length === 3 ? [] : ["it wants five prompts, and three more"]),
      ...TEST_PROMPTS.flatMap((prompt) => prompt.tools)
        .filter((tool) => !tools.some(({ name }) => name === tool))
        .map((tool) => `a prompt calls ${tool}, which is not listed`),
    ],
  },
  {
    directory: "ChatGPT",
    asks: "A logo: a square PNG of 64 pixels or more, at most 1 MiB",
    answer: "`/icon.png`",
    source: OPENAI_GUIDELINES,
    problems: ({ answers }) => logoProblems(answers.icon),
  },
  {
    directory: "ChatGPT",
    asks: "No credits or other digital goods are sold in a conversation",
    answer: "the listed address leaves out the toolset `credits`",
    source: OPENAI_GUIDELINES,
    problems: ({ tools }) => sellers(tools),
  },
  {
    directory: "Claude",
    asks: "Each tool has a title, and says whether it only reads, or destroys",
    answer: "the title of the operation, and the same hints",
    source: CLAUDE_GUIDE,
    problems: ({ tools }) =>
      tools.flatMap(({ name, title, annotations: { readOnlyHint, destructiveHint } = {} }) => [
        ...(title ? [] : [`${name} has no title`]),
        ...(readOnlyHint === undefined || destructiveHint === undefined ? [`${name} lacks a hint`] : []),
        ...(readOnlyHint && destructiveHint ? [`${name} says that it only reads, and destroys`] : []),
      ]),
  },
  {
    directory: "Claude",
    asks: "Names of tools have at most 64 characters",
    answer: "a law of the tests",
    source: CLAUDE_POLICY,
    problems: ({ tools }) => tools.flatMap(({ name }) => (/^[\w-]{1,64}$/.test(name) ? [] : [`${name} is too long`])),
  },
  {
    directory: "Claude",
    asks: "No money or other asset is moved",
    answer: "the listed address leaves out the toolset `credits`",
    source: CLAUDE_POLICY,
    problems: ({ tools }) => sellers(tools),
  },
  {
    directory: "Claude",
    asks: "Sign-in is by OAuth, where there is one",
    answer: "an authorization server with PKCE",
    source: CLAUDE_GUIDE,
    problems: ({ answers }) => [
      ...missing(answers, [RESOURCE_METADATA, SERVER_METADATA], "application/json"),
      ...(/"S256"/.test(answers[SERVER_METADATA]?.body.toString() ?? "") ? [] : ["it offers no PKCE"]),
    ],
  },
  {
    directory: "Claude",
    asks: "Pages of privacy, terms and support are public",
    answer: "`/privacy`, `/terms`, `/support`, or your own (`PRIVACY_URL`, `TERMS_URL`, `SUPPORT_URL`)",
    source: CLAUDE_POLICY,
    problems: ({ answers }) => missing(answers, POLICY_PATHS, "text/html"),
  },
  {
    directory: "Claude",
    asks: "At least three prompts that work, and an account to try them",
    answer: "the prompts below, and an account of a sandbox",
    source: CLAUDE_POLICY,
    problems: () => (TEST_PROMPTS.length >= 3 ? [] : ["there are fewer than three prompts"]),
  },
  {
    directory: "MCP registry",
    asks: "`server.json` has a name in reversed DNS, one version, and at most 100 characters of description",
    answer: "`server.json`, which `npm run generate` writes",
    source: REGISTRY,
    problems: ({ registry, client }) => [
      ...(registry.$schema === REGISTRY ? [] : ["server.json names another schema"]),
      ...(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(String(registry.name)) ? [] : ["the name is not in reversed DNS"]),
      ...(String(registry.description).length <= 100 ? [] : ["the description is too long"]),
      ...(registry.version === client.version ? [] : ["the version is not that of the client package"]),
      ...(registry.name === client.mcpName ? [] : ["the client package does not name the entry (mcpName)"]),
    ],
  },
  {
    directory: "MCP registry",
    asks: "The name belongs to whoever publishes it",
    answer: "`mcpName` in `packages/client/package.json` is yours to set",
    source: REGISTRY,
    problems: ({ registry }) =>
      String(registry.name).startsWith("com.example/") ? [`${registry.name} stands in for a name of your own`] : [],
  },
];

function isPublic({ protocol, hostname }: URL): boolean {
  return (
    protocol === "https:" &&
    isIP(hostname) === 0 &&
    hostname.includes(".") &&
    !/\.(test|local|internal)$/.test(hostname)
  );
}

function missing(answers: Listing["answers"], paths: readonly string[], type: string): string[] {
  return paths.flatMap((path) => {
    const answer = answers[path];
    const isThere = answer?.status === 200 && answer.type.startsWith(type) && answer.body.length > 0;
    return isThere ? [] : [`${path} is not there (${answer?.status || "no answer"})`];
  });
}

function isWide(csp: NonNullable<Listing["views"][number]["csp"]>): boolean {
  return [...(csp.connectDomains ?? []), ...(csp.resourceDomains ?? [])].some((domain) => domain.includes("*"));
}

/** Width and height stand at fixed places of a PNG (RFC 2083 section 4.1.1). */
function logoProblems(icon: Answer | undefined): string[] {
  if (icon?.status !== 200 || icon.body.toString("latin1", 1, 4) !== "PNG") return ["there is no PNG among the icons"];
  const [width, height] = [icon.body.readUInt32BE(16), icon.body.readUInt32BE(20)];
  const isGood = width === height && width >= 64 && icon.body.length <= 1024 * 1024;
  return isGood ? [] : [`the icon is ${width} by ${height} pixels, and ${icon.body.length} bytes`];
}

function sellers(tools: Listing["tools"]): string[] {
  return tools.flatMap(({ name }) => {
    const operation = operationOf(name);
    return operation?.effect === "purchase" || operation?.takesPayment ? [`${name} buys credits`] : [];
  });
}
