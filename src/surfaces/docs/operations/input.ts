import { IDEMPOTENCY_KEY, inputSchema, type JsonSchema } from "../../../contract/json-schema.ts";
import { type AnyOperation, isIdempotent } from "../../../contract/operation.ts";
import { page, table } from "../markdown.ts";
import { defaultText, typeText } from "./schema-text.ts";

export interface ObjectSchema {
  readonly properties: Record<string, JsonSchema & { description?: string }>;
  readonly required?: readonly string[];
}

/** The input of an operation: a row for each field, and where the fields are sent. */
export function inputOf(operation: AnyOperation): string {
  const { properties, required = [] } = inputSchema(operation, "program") as unknown as ObjectSchema;
  const fields = Object.keys(properties);
  const rows = Object.entries(properties).map(([field, schema]) => [
    `\`${field}\``,
    typeText(schema),
    required.includes(field) ? "required" : defaultOf(schema),
    [schema.description ?? meaningOf(operation, field), presetForAgents(operation, field)].filter(Boolean).join(". "),
  ]);
  const all = [...rows, ...keyRow(operation)];
  if (all.length === 0) return "None.";
  return page(
    table(["field", "type", "needed", "meaning"], all),
    `Over REST: ${placesOf(operation, fields)}. Over MCP and A2A: all fields in one object.`,
  ).trimEnd();
}

/** Understandable without the heading of its column, which phones do not show. */
function defaultOf(schema: JsonSchema): string {
  const preset = defaultText(schema);
  return preset ? `default ${preset}` : "optional";
}

function meaningOf({ name }: AnyOperation, field: string): string {
  return MEANINGS[`${name}.${field}`] ?? MEANINGS[field] ?? "";
}

/** The meaning of fields without a description in the schema, where every word costs models tokens. */
const MEANINGS: Readonly<Record<string, string>> = {
  bing: "Whether to send the URLs to Bing too, which accepts only URLs of [verified](/docs/operations/add_site) sites",
  yandex:
    "Whether to send the URLs to Yandex too, which accepts only URLs of [verified](/docs/operations/add_site) sites",
  "estimate_cost.kind": "What to price: indexing in one of the two modes, or a check",
  "list_projects.kind": "Only projects that index URLs, or only those that check them",
  "list_projects.status": "Only projects that are active, or only those that are completed",
  "list_links.status": "Only links of this [status](/docs/concepts)",
  "list_projects.archived":
    "Whether the list has [archived](/docs/operations/update_project) projects: no, nothing else, or together with the others",
  "list_projects.sort":
    "The order; `-` is the other way round. Newest first by default, and where two are equal. Those without a rate come last",
  "list_links.sort":
    "The order; `-` is the other way round. `status` goes from waiting to failed, `checked` by the time of the last check, and links without one come last. Equal ones stand in the order of submission",
  "list_orders.status": "Only orders of this [status](/docs/payments#orders)",
};

function presetForAgents({ agentDefaults }: AnyOperation, field: string): string {
  const preset = (agentDefaults as Record<string, unknown> | undefined)?.[field];
  return preset === undefined ? "" : `Over MCP and A2A the default is \`${preset}\``;
}

/** The idempotency key, which over REST is a header. */
function keyRow(operation: AnyOperation): string[][] {
  if (!isIdempotent(operation)) return [];
  return [
    [
      "`idempotency_key`",
      typeText(IDEMPOTENCY_KEY),
      "optional",
      `${IDEMPOTENCY_KEY.description}. Over REST it is the header \`Idempotency-Key\``,
    ],
  ];
}

function placesOf({ rest }: AnyOperation, fields: readonly string[]): string {
  const inPath = fields.filter((field) => rest.path.includes(`{${field}}`));
  const where = rest.method === "GET" ? "in the query" : "in the JSON body";
  const others = fields.length > inPath.length ? where : "";
  const path = inPath.length > 0 ? `${inPath.map((field) => `\`${field}\``).join(" and ")} in the path` : "";
  return [path, others && path ? `the rest ${others}` : others && `all ${others}`].filter(Boolean).join(", ");
}
