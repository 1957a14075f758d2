import type { JsonSchema } from "../src/contract/json-schema.ts";

/** The TypeScript type of a JSON Schema as `src/contract/json-schema.ts` makes them; `indent` is the indent of its line. */
export function typeOf(schema: JsonSchema, indent = ""): string {
  const { $ref, const: only, enum: values, anyOf, oneOf, type } = schema;
  if (typeof $ref === "string") return $ref.slice($ref.lastIndexOf("/") + 1);
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  const choices = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  if (choices) return [...new Set(choices.map((one) => typeOf(one, indent)))].join(" | ");
  const types = Array.isArray(type) ? (type as string[]) : [type as string | undefined];
  return types.map((one) => typeNamed(one, schema, indent)).join(" | ");
}

/** A documentation comment of these lines; none for an empty text. */
export function commentOf(text: string, indent: string): string {
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  if (text === "") return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}

function typeNamed(type: string | undefined, schema: JsonSchema, indent: string): string {
  if (type === "integer" || type === "number") return "number";
  if (type === "string" || type === "boolean" || type === "null") return type;
  if (type === "array") {
    const element = schema.items ? typeOf(schema.items as JsonSchema, indent) : "unknown";
    return /[|\s]/.test(element) && !element.startsWith("{") ? `(${element})[]` : `${element}[]`;
  }
  return type === "object" ? objectType(schema, indent) : "unknown";
}

function objectType(schema: JsonSchema, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const inner = `${indent}  `;
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => {
    const key = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
    const optional = (required as string[]).includes(name) ? "" : "?";
    const undefinedToo = optional ? " | undefined" : "";
    return `${commentOf(aboutOf(field), inner)}${inner}${key}${optional}: ${typeOf(field, inner)}${undefinedToo};\n`;
  });
  if (fields.length > 0) return `{\n${fields.join("")}${indent}}`;
  const isRecord = typeof additionalProperties === "object" && additionalProperties !== null;
  if (isRecord) return `Record<string, ${typeOf(additionalProperties as JsonSchema, indent)}>`;
  return `Record<string, ${additionalProperties === true ? "unknown" : "never"}>`;
}

/** What is said of a field: its description, and in brackets its bounds and its default. */
function aboutOf({ description, default: preset, minimum, maximum, maxLength, maxItems }: JsonSchema): string {
  const facts = [
    ...(minimum === undefined || maximum === undefined ? [] : [`${minimum} to ${maximum}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} items`]),
    ...(preset === undefined ? [] : [`default: ${JSON.stringify(preset)}`]),
  ];
  return [description, facts.length > 0 && `(${facts.join("; ")})`].filter(Boolean).join(" ");
}
