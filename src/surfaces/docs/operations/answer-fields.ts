import { type JsonSchema, outputSchema } from "../../../contract/json-schema.ts";
import type { AnyOperation } from "../../../contract/operation.ts";
import type { AnswerField } from "../document.ts";
import { typeText } from "./schema-text.ts";

/** The fields of the answer of an operation, as its schema has them. */
export function answerFields(operation: AnyOperation): readonly AnswerField[] {
  return fieldsIn(outputSchema(operation));
}

function fieldsIn(schema: JsonSchema): AnswerField[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return properties.map(([name, field]) => {
    const fields = fieldsIn(objectIn(field));
    const meaning = field.description as string | undefined;
    return { name, type: typeOf(field, fields), ...(meaning ? { meaning } : {}), fields };
  });
}

/** The schema of the object that a field is, or is a list of; otherwise an empty one. */
function objectIn(schema: JsonSchema): JsonSchema {
  const among = (schema.anyOf ?? []) as JsonSchema[];
  return [schema, schema.items as JsonSchema, ...among].find((one) => one?.properties) ?? {};
}

function typeOf(schema: JsonSchema, fields: readonly AnswerField[]): string {
  if (fields.length === 0) return typeText(withoutBounds(schema));
  const object = `object, ${fields.length} fields`;
  const isList = [schema.type].flat().includes("array");
  const isNullable = [schema.type].flat().includes("null") || typeText(schema).endsWith("null");
  return `${isList ? `array of ${object}` : object}${isNullable ? ", or null" : ""}`;
}

/** Whoever reads an answer need not check it. */
function withoutBounds({
  minimum: _,
  maximum: _most,
  minLength: _least,
  maxLength: _longest,
  ...schema
}: JsonSchema): JsonSchema {
  return schema;
}
