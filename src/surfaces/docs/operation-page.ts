import { outputSchema } from "../../contract/json-schema.ts";
import { type Access, type AnyOperation, type Effect, errorsOf, isIdempotent, isOn } from "../../contract/operation.ts";
import type { Config } from "../../platform/config/config.ts";
import { ERRORS } from "../../platform/errors/errors.ts";
import { formatNumber } from "../../platform/format.ts";
import { LIMITS } from "../../platform/limits.ts";
import type { Document } from "./document.ts";
import { a2aExample, curlExample, javascriptExample, mcpExample } from "./example-calls.ts";
import { EXAMPLE_RESPONSES } from "./example-responses.ts";
import { CREDIT_COSTS } from "./key-figures.ts";
import { fenced, json, list, page, table } from "./markdown.ts";
import { inputOf, type ObjectSchema } from "./operation-input.ts";

/** The page of an operation, made from its definition and the recorded response to its example. */
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
  const rows = [
    ["REST", `\`${rest.method} /api/v1${rest.path}\``],
    ["MCP", isOn(operation, "mcp") ? `tool \`${name}\`` : "not offered"],
    ["A2A", isOn(operation, "a2a") ? `skill \`${name}\`` : "not offered"],
    ["Needs", needsOf(access)],
    ["Costs", effect === "spend" ? priceOf(operation) : COSTS[effect]],
  ];
  return table(["", ""], rows);
}

/** The credential that a call needs. */
function needsOf(access: Access): string {
  if (access.kind === "public") return "no credential";
  if (access.kind === "credential") return "any credential";
  const scope = `a credential with the scope \`${access.scope}\``;
  if (access.anonymous) return `${scope}; without one it is \`${access.anonymous.name}\``;
  return access.paid ? `${scope}, of an account that has bought credits at least once` : scope;
}

/** The price: by mode for operations that have one, otherwise that of a check. */
function priceOf({ input }: AnyOperation): string {
  const { standard, instant, checked } = CREDIT_COSTS;
  const price =
    "mode" in input.shape
      ? `${standard} credit per URL, ${instant} in the mode \`instant\``
      : `1 credit per ${checked} URLs`;
  return `${price}, spent at once: see [pricing](/pricing)`;
}

const COSTS: Readonly<Record<Exclude<Effect, "spend">, string>> = {
  read: "nothing",
  cancel: "nothing; it returns credits",
  change: "nothing",
  purchase: "no credits; it buys them",
};

/** Calls of the example, by every protocol that offers the operation. */
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

A JSON-RPC request to \`/a2a\`, with the header \`A2A-Version: 1.0\`. Give every message its own \`messageId\`: a message
that is sent twice is executed once.`;

function answerOf(operation: AnyOperation, config: Config): string {
  const answer = EXAMPLE_RESPONSES[operation.name];
  if (!answer) throw new Error(`${operation.name} has no recorded response: npm run generate`);
  const { representations = [] } = operation;
  const others = representations.map(({ mediaType, suffix }) => {
    const how = mediaType === "application/json" ? "Add" : `Send \`Accept: ${mediaType}\`, or add`;
    return `${how} \`.${suffix}\` to the path, to get the whole list as ${suffix.toUpperCase()}.`;
  });
  return page(
    `Status ${answer.status}. This is the answer of a sandbox to the example over REST, with made-up ids.`,
    json(JSON.parse(localised(JSON.stringify(answer.body), config))),
    fieldsOf(operation),
    others.join("\n"),
  ).trimEnd();
}

/** Replaces the address and the chain in a recorded response by those of this deployment. */
function localised(text: string, { siteUrl, direct }: Config): string {
  const here = text.replaceAll("http://beckon.test", siteUrl);
  if (!direct) return here;
  return here
    .replaceAll("eip155:31337", direct.network)
    .replaceAll(`0x${"a".repeat(40)}`, direct.asset)
    .replaceAll(`0x${"b".repeat(40)}`, direct.payTo);
}

/** The descriptions that the schema of the answer has. */
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
  const own = names.map(
    (name) => `${formatNumber(LIMITS[name].count)} per ${LIMITS[name].window}, ${LIMITS[name].per}.`,
  );
  return page("## Limits", list([...own, "Limits of all calls: see [limits](/docs/limits)."])).trimEnd();
}

function repeating(operation: AnyOperation): string {
  const { effect, takesPayment } = operation;
  if (takesPayment)
    return "## Repeating a call\n\nThe signed payment is its own idempotency key: the same payment is settled once, and gets the same answer again.";
  if (isIdempotent(operation))
    return `## Repeating a call

Send \`Idempotency-Key\` (over MCP and A2A: the field \`idempotency_key\`) with any unique text, and use the same one when
you retry. For 24 hours you get the first answer again, with \`Idempotent-Replayed: true\`, and nothing is done twice.
Errors are not remembered.`;
  return effect === "read" ? "" : "## Repeating a call\n\nCalling it again with the same input is safe.";
}
