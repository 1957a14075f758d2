import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { listOf } from "../../../../src/contract/fit-page.ts";
import { type JsonSchema, outputSchema } from "../../../../src/contract/json-schema.ts";
import { isOn } from "../../../../src/contract/operation.ts";
import { agentOutputSchema } from "../../../../src/surfaces/mcp/output-schema.ts";
import { operations } from "../../../../tools/index.ts";

const ajv = new Ajv2020({ strict: false });
const here = operations.filter((operation) => isOn(operation, "mcp"));

/** A value that the schema allows: everything there is in it, and `null` where that may stand. */
function exampleOf(schema: JsonSchema, isNull: boolean): unknown {
  const { type, const: value, enum: values, properties, items, anyOf } = schema;
  if (value !== undefined) return value;
  if (Array.isArray(values)) return isNull && values.includes(null) ? null : values[0];
  if (anyOf) return exampleOf((anyOf as JsonSchema[]).at(isNull ? -1 : 0)!, isNull);
  const types = [type].flat();
  if (isNull && types.includes("null")) return null;
  if (types[0] === "array") return items ? [exampleOf(items as JsonSchema, isNull)] : [];
  if (types[0] === "object") {
    const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>);
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, isNull)]));
  }
  return types[0] === "string" ? "text" : types[0] === "boolean" ? true : types[0] === "null" ? null : 1;
}

describe.each(here.map((operation) => [operation.name, operation] as const))("%s", (_, operation) => {
  const [full, brief] = [outputSchema(operation), agentOutputSchema(operation)];
  const list = listOf(operation);

  test.each([false, true])(
    "an answer that the full schema allows is valid for agents too; with nulls: %s",
    (isNull) => {
      const example = exampleOf(full, isNull);
      expect(ajv.validate(full, example)).toBe(true);
      expect(ajv.validate(brief, example)).toBe(true);
    },
  );

  test("names every field of the answer, of its type", () => {
    const fields = full.properties as Record<string, JsonSchema>;
    expect(Object.keys(brief.properties as object)).toEqual([...Object.keys(fields), ...(list ? ["next_offset"] : [])]);
    const open = { ...brief, required: [] };
    for (const name of Object.keys(fields)) {
      const other = isObject(fields[name]!) ? ["not it"] : { not: "it" };
      expect(ajv.validate(open, { [name]: other }), name).toBe(false);
      expect(ajv.validate(open, { [name]: exampleOf(fields[name]!, false) }), name).toBe(true);
    }
  });

  test("names the fields that are always there, and refuses an answer without one of them", () => {
    expect(brief.required).toEqual(full.required);
    const example = exampleOf(full, false) as Record<string, unknown>;
    for (const name of full.required as string[]) {
      const { [name]: _, ...others } = example;
      expect(ajv.validate(brief, others), name).toBe(false);
    }
  });

  if (list && list.columns.length > 0)
    test("a record with one of the columns that a caller may choose is valid, and so is the place of the next page", () => {
      const example = exampleOf(full, false) as Record<string, Record<string, unknown>[]>;
      for (const column of list.columns) {
        const record = { [column]: example[list.name]![0]![column] };
        expect(ajv.validate(brief, { ...example, [list.name]: [record], next_offset: 20 }), column).toBe(true);
      }
      expect(ajv.validate(brief, { ...example, next_offset: "20" })).toBe(false);
    });

  test("a shape that is said to be described by another tool is described there", () => {
    for (const [, owner, less] of JSON.stringify(brief).matchAll(/"As (\w+) answers(?:, less ([\w, ]+))?"/g)) {
      const whole = here.find(({ name }) => name === owner)!;
      const { properties } = agentOutputSchema(whole);
      expect(JSON.stringify(properties)).not.toContain('"As ');
      for (const field of less?.split(", ") ?? []) expect(properties).toHaveProperty(field);
    }
  });
});

test("law: every array has items, and every field one type", () => {
  for (const operation of here) {
    const fields: JsonSchema[] = Object.values(agentOutputSchema(operation).properties as Record<string, JsonSchema>);
    const items = fields.flatMap((field) => (field.items as JsonSchema | undefined) ?? []) as JsonSchema[];
    for (const field of [...fields, ...items]) {
      const types = [field.type].flat().filter((type) => type !== "null");
      expect(types.length, `${operation.name}: ${JSON.stringify(field)}`).toBe(1);
      expect(["string", "integer", "number", "boolean", "array", "object"]).toContain(types[0]);
      expect("items" in field).toBe(types[0] === "array");
    }
  }
});

test("an object of three fields at most has their names, a larger one has not", () => {
  const of = (name: string) => agentOutputSchema(here.find((one) => one.name === name)!).properties as JsonSchema;
  expect(of("get_project")).toMatchObject({
    engines: { description: "google, bing, yandex" },
    counts: { type: "object" },
  });
  expect(of("get_project").counts).not.toHaveProperty("description");
});

test("a shape that another tool answers is named, not repeated", () => {
  const described = (name: string) => JSON.stringify(agentOutputSchema(here.find((one) => one.name === name)!));
  expect(described("list_projects")).toContain('"As get_project answers"');
  expect(described("list_links")).toContain('"As get_link answers, in part"');
  expect(described("get_project")).not.toContain('"As ');
});

function isObject({ type, anyOf = [] }: JsonSchema): boolean {
  return [type].flat().includes("object") || (anyOf as JsonSchema[]).some(isObject);
}
