import { outputSchema } from "../../contract/json-schema.ts";
import { type Access, type AnyOperation, type Effect, errorsOf, isIdempotent, isOn } from "../../contract/operation.ts";
import type { Config } from "../../platform/config/config.ts";
import { ERRORS } from "../../platform/errors/errors.ts";
import { LIMITS } from "../../platform/limits.ts";
import type { Document } from "./document.ts";
import { a2aExample, curlExample, javascriptExample, mcpExample } from "./example-calls.ts";
import { EXAMPLE_RESPONSES } from "./example-responses.ts";
import { CREDIT_COSTS } from "./key-figures.ts";
import { fenced, figure, json, list, page, table } from "./markdown.ts";
import { inputOf, type ObjectSchema } from "./operation-input.ts";

/** The page of an operation: all of it follows from its definition and from what its example was answered. */
export function operationPage(operation: AnyOperation, config: Config): Document {
  const { name, title, description } = operation;
  return {
    path: operationPath(name),
    title: name,
    summary: `${title}: ${operation.rest.method} ${operation.rest.path}`,
    section: "Operations",
    markdown: page(
      `# ${name}`,
      `**${title}.** ${description}`,
      factsOf(operation),
      "## Input",
      inputOf(operation),
      "## Example",
      examplesOf(operation, config),
      "## Answer",
      answerOf(operation, config),
      "## Errors",
      table(["status", "code", "meaning"], errorsIn(operation)),
      limitsOf(operation),
      repeating(operation),
      "[All operations](/docs/operations)",
    ),
  };
}

export function operationPath(name: string): string {
  return `/docs/operations/${name}`;
}

function factsOf(operation: AnyOperation): string {
  const { name, rest, access, effect } = operation;
  const doors = [
    ["REST", `\`${rest.method} /api/v1${rest.path}\``],
    ["MCP", isOn(operation, "mcp") ? `tool \`${name}\`` : "not offered"],
    ["A2A", isOn(operation, "a2a") ? `skill \`${name}\`` : "not offered"],
    ["Needs", needsOf(access)],
    ["Costs", effect === "spend" ? priceOf(operation) : COSTS[effect]],
  ];
  return table(["", ""], doors);
}

/** Who may call it, in a few words. */
function needsOf(access: Access): string {
  if (access.kind === "public") return "nobody has to be known";
  if (access.kind === "credential") return "any credential";
  const scope = `a credential with the scope \`${access.scope}\``;
  if (access.anonymous) return `${scope}; without one it is \`${access.anonymous.name}\``;
  return access.paid ? `${scope}, of an account that has bought credits once` : scope;
}

/** What is spent: by the mode where there is a choice, otherwise for looking up. */
function priceOf({ input }: AnyOperation): string {
  const { standard, instant, checked } = CREDIT_COSTS;
  const price =
    "mode" in input.shape
      ? `${standard} credit per URL, ${instant} in the mode \`instant\``
      : `1 credit per ${checked} URLs`;
  return `${price}, at once: see [pricing](/pricing)`;
}

const COSTS: Readonly<Record<Exclude<Effect, "spend">, string>> = {
  read: "nothing",
  cancel: "nothing; it gives credits back",
  change: "nothing",
  purchase: "no credits; it buys some",
};

/** With a key in BECKON_API_KEY, where one is needed. */
function examplesOf(operation: AnyOperation, { siteUrl }: Config): string {
  const call = { operation, siteUrl };
  return page(
    "### curl",
    fenced("sh", curlExample(call)),
    "### JavaScript",
    fenced("js", javascriptExample(call)),
    isOn(operation, "mcp") ? "### MCP\n\nA message to `/mcp`:" : "",
    isOn(operation, "mcp") ? json(mcpExample(call)) : "",
    isOn(operation, "a2a") ? A2A : "",
    isOn(operation, "a2a") ? json(a2aExample(call)) : "",
  ).trimEnd();
}

const A2A = `### A2A

A JSON-RPC request to \`/a2a\`, with the header \`A2A-Version: 1.0\`. Put a \`messageId\` of its own into every message:
one that comes again is not acted on again.`;

function answerOf(operation: AnyOperation, config: Config): string {
  const answer = EXAMPLE_RESPONSES[operation.name];
  if (!answer) throw new Error(`${operation.name} has no answer to show: npm run generate`);
  const { representations = [] } = operation;
  const others = representations.map(
    ({ mediaType, suffix }) => `\`Accept: ${mediaType}\`, or \`.${suffix}\` behind the path, gives all of it as such.`,
  );
  return page(
    `Status ${answer.status}. A sandbox answered this to the example, by REST; ids are made up.`,
    json(JSON.parse(localised(JSON.stringify(answer.body), config))),
    fieldsOf(operation),
    others.join("\n"),
  ).trimEnd();
}

/** The answer as this deployment would give it: its address, its chain. */
function localised(text: string, { siteUrl, direct }: Config): string {
  const here = text.replaceAll("http://beckon.test", siteUrl);
  if (!direct) return here;
  return here
    .replaceAll("eip155:31337", direct.network)
    .replaceAll(`0x${"a".repeat(40)}`, direct.asset)
    .replaceAll(`0x${"b".repeat(40)}`, direct.payTo);
}

/** What the schema says of fields beyond their names. */
function fieldsOf(operation: AnyOperation): string {
  const { properties = {} } = outputSchema(operation) as unknown as Partial<ObjectSchema>;
  const told = Object.entries(properties).filter(([, { description }]) => description);
  return list(told.map(([field, { description }]) => `\`${field}\`: ${description}.`));
}

function errorsIn(operation: AnyOperation): string[][] {
  const codes = [...new Set(errorsOf(operation))].sort((a, b) => ERRORS[a].status - ERRORS[b].status);
  return codes.map((code) => [String(ERRORS[code].status), `[\`${code}\`](/docs/errors/${code})`, ERRORS[code].title]);
}

function limitsOf({ limits = [], effect }: AnyOperation): string {
  const names = [...limits, ...(effect === "spend" ? (["submissions_per_day"] as const) : [])];
  const own = names.map((name) => `${figure(LIMITS[name].count)} per ${LIMITS[name].window}, ${LIMITS[name].per}.`);
  return page("## Limits", list([...own, "Those that hold for every call: [limits](/docs/limits)."])).trimEnd();
}

function repeating(operation: AnyOperation): string {
  const { effect, takesPayment } = operation;
  if (takesPayment)
    return "## Repeating\n\nThe signed payment is its own key: the very same one is settled once, and answered again.";
  if (isIdempotent(operation))
    return `## Repeating

Send \`Idempotency-Key\` (over MCP and A2A: the field \`idempotency_key\`) with any unique text, and repeat it when you
retry. For 24 hours the first answer comes back, with \`Idempotent-Replayed: true\`, and nothing is done twice. A
refusal is not remembered.`;
  return effect === "read" ? "" : "## Repeating\n\nCalling it again with the same input does no harm.";
}
