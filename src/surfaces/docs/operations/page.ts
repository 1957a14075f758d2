import { recordedAnswer } from "../../../contract/example.ts";
import {
  type Access,
  type AnyOperation,
  type Effect,
  errorsOf,
  isIdempotent,
  isOn,
  scopesOf,
} from "../../../contract/operation.ts";
import type { Config } from "../../../platform/config/config.ts";
import { ERRORS } from "../../../platform/errors/errors.ts";
import { formatNumber } from "../../../platform/format.ts";
import { LIMITS } from "../../../platform/limits.ts";
import type { Document, ErrorList, ExampleAnswer, ExampleCall, ExampleCalls, Part } from "../document.ts";
import { CREDIT_COSTS } from "../key-figures.ts";
import { fenced, list, page, table } from "../markdown.ts";
import { tabsToMarkdown } from "../text-tabs.ts";
import { answerFields } from "./answer-fields.ts";
import { exampleCalls } from "./example-calls.ts";
import { inputOf } from "./input.ts";

/** The page of an operation, made from its definition and the recorded response to its example. */
export function operationPage(operation: AnyOperation, config: Config): Document {
  const { name, title, description } = operation;
  const calls = exampleCalls({ operation, siteUrl: config.siteUrl });
  const parts: readonly Part[] = [
    page(`# ${name}`, `**${title}.** ${description}`, factsOf(operation)),
    page("## Input", inputOf(operation)),
    "## Example",
    { kind: "calls", calls },
    page("## Answer", statusOf(operation, config)),
    answerOf(operation, config),
    representationsOf(operation),
    "## Errors",
    { kind: "errors", errors: errorsIn(operation) },
    { kind: "columns", texts: [limitsOf(operation), repeating(operation)].filter(Boolean) },
    "[All operations](/docs/operations)",
  ];
  return {
    path: operationPath(name),
    title: name,
    summary: `${title}: ${operation.rest.method} ${operation.rest.path}`,
    section: "Operations",
    markdown: page(...parts.map(toMarkdown)),
    parts,
  };
}

function toMarkdown(part: Part): string {
  if (typeof part === "string") return part.trimEnd();
  switch (part.kind) {
    case "calls":
      return callsToMarkdown(part);
    case "answer":
      return answerToMarkdown(part);
    case "errors":
      return errorsToMarkdown(part);
    case "columns":
      return page(...part.texts).trimEnd();
    case "tabs":
      return tabsToMarkdown(part);
  }
}

/** Without Python: the text is read by models, which can tell from the others how to write it. */
function callsToMarkdown({ calls }: ExampleCalls): string {
  const shown = calls.filter(({ id }) => id !== "python");
  return page(...shown.map(callToMarkdown)).trimEnd();
}

function answerToMarkdown({ text, fields }: ExampleAnswer): string {
  const described = fields.filter(({ meaning }) => meaning);
  const meanings = list(described.map(({ name, meaning }) => `\`${name}\`: ${meaning}.`));
  return page(fenced("json", text), meanings).trimEnd();
}

function errorsToMarkdown({ errors }: ErrorList): string {
  const rows = errors.map(({ status, code, title }) => [String(status), `[\`${code}\`](/docs/errors/${code})`, title]);
  return table(["status", "code", "meaning"], rows);
}

function callToMarkdown({ title, introduction = "", language, code }: ExampleCall): string {
  return page(`### ${title}`, introduction, fenced(language, code)).trimEnd();
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
  const scopes = scopesOf(access).map((one) => `the scope \`${one}\``);
  const scope = `a credential with ${scopes.join(" and ")}`;
  if (access.anonymous) return `${scope}; without one it is \`${access.anonymous.name}\``;
  return access.paid ? `${scope}, of an account that has bought credits at least once` : scope;
}

/** The price: by mode for operations that have one, otherwise the price of a check. */
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

function statusOf(operation: AnyOperation, config: Config): string {
  return `Status ${recordedAnswer(operation, config).status}. This is the answer of a sandbox to the example over REST, with made-up ids.`;
}

function answerOf(operation: AnyOperation, config: Config): ExampleAnswer {
  const text = JSON.stringify(recordedAnswer(operation, config).body, null, 2);
  return { kind: "answer", text, fields: answerFields(operation) };
}

function representationsOf({ representations = [] }: AnyOperation): string {
  const sentences = representations.map(({ mediaType, suffix }) => {
    const how = mediaType === "application/json" ? "Add" : `Send \`Accept: ${mediaType}\`, or add`;
    return `${how} \`.${suffix}\` to the path, to get the whole list as ${suffix.toUpperCase()}.`;
  });
  return sentences.join("\n");
}

function errorsIn(operation: AnyOperation): ErrorList["errors"] {
  const codes = [...new Set(errorsOf(operation))].sort((a, b) => ERRORS[a].status - ERRORS[b].status);
  return codes.map((code) => ({ status: ERRORS[code].status, code, title: ERRORS[code].title }));
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
