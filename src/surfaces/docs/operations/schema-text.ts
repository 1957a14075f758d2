import type { JsonSchema } from "../../../contract/json-schema.ts";
import { formatNumber } from "../../../platform/format.ts";

/** A JSON Schema type in words, such as `array of string, 1 to 20,000 items`. */
export function typeText(schema: JsonSchema): string {
  const { items, const: only } = schema;
  const choices = schema.enum as unknown[] | undefined;
  if (only !== undefined) return code(only);
  if (choices) return choices.map(code).join(", ");
  const any = schema.anyOf as JsonSchema[] | undefined;
  if (any) return any.map(typeText).join(" or ");
  const names = [schema.type ?? "any"].flat().map(String);
  if (!names.includes("array")) return [names.join(" or "), boundsOf(schema)].filter(Boolean).join(", ");
  const inside = typeText((items ?? {}) as JsonSchema);
  return [`array of ${inside}`, range(schema.minItems, schema.maxItems, "items")].filter(Boolean).join("; ");
}

/** The default as JSON; "" if there is none. */
export function defaultText({ default: preset }: JsonSchema): string {
  return preset === undefined ? "" : code(preset);
}

function boundsOf({ minimum, maximum, minLength, maxLength }: JsonSchema): string {
  return range(minimum, maximum, "") || range(minLength, maxLength, "characters");
}

function range(least: unknown, most: unknown, unit: string): string {
  const [min, max] = [least, most].map((bound) => (typeof bound === "number" ? formatNumber(bound) : null));
  const words = max ? (min ? `${min} to ${max}` : `at most ${max}`) : min ? `at least ${min}` : "";
  return words && unit ? `${words} ${unit}` : words;
}

function code(value: unknown): string {
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}
