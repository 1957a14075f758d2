import { describe, expect, test } from "vitest";
import { z } from "zod";
import { EVERYTHING } from "../scripts/snapshots.ts";
import { inputSchema, type JsonSchema, outputSchema } from "../src/contract/json-schema.ts";
import { type AnyOperation, errorsOf, isSubmission, offersOf } from "../src/contract/operation.ts";
import { ERRORS, type ErrorCode } from "../src/platform/errors/errors.ts";
import { SCOPES } from "../src/platform/principal.ts";
import { operations } from "../tools/index.ts";
import { EXAMPLES } from "./support/service/examples.ts";

describe("laws of the registry", () => {
  const names = operations.map(({ name }) => name);

  test("names, titles, descriptions and addresses are unique", () => {
    const addresses = operations.map(({ rest }) => `${rest.method} ${rest.path}`);
    const titles = operations.map(({ title }) => title);
    const descriptions = operations.map(({ description }) => description);
    for (const list of [names, addresses, titles, descriptions]) expect(new Set(list).size).toBe(operations.length);
  });

  test("every operation has an example, and every example an operation", () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual([...names].sort());
  });

  for (const operation of operations) describe(operation.name, () => laws(operation));
});

function laws(operation: AnyOperation): void {
  const { name, title, description, access, effect, rest } = operation;
  const input = inputSchema(operation, "program");

  test("its name, title and description keep the rules", () => {
    expect(name).toMatch(/^[a-z]+(_[a-z0-9]+)*$/);
    expect(title).toMatch(/^[A-Z].{3,59}$/);
    expect(title).not.toMatch(/\.$/);
    expect(description.length).toBeGreaterThan(40);
    expect(description.length).toBeLessThan(1024);
    expect(description).toMatch(/^[A-Z].*\.$/s);
  });

  test("law: every input field has a description", () => {
    const silent = Object.entries(input.properties as Record<string, JsonSchema>).filter(
      ([, { description }]) => !description,
    );
    expect(silent.map(([field]) => field)).toEqual([]);
  });

  test("its REST path names input fields, and creating something answers 201", () => {
    expect(rest.path).toMatch(/^(\/([a-z][a-z0-9-]*|\{[a-z_]+\}))+$/);
    const inPath = [...rest.path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field!);
    expect(input.required ?? []).toEqual(expect.arrayContaining(inPath));
    if (isSubmission(operation)) expect(rest).toMatchObject({ method: "POST", status: 201 });
    if (rest.method === "GET") expect(effect).toBe("read");
    if (effect !== "read") expect(rest.method).toMatch(/^(POST|PATCH|DELETE)$/);
  });

  test("only an authenticated caller can change something, and only a paid account can spend", () => {
    if (effect !== "read") expect(access.kind).toBe("scope");
    if (access.kind === "scope" && access.anonymous) expect(access.anonymous).toMatchObject(HARMLESS);
    if (access.kind === "scope") expect(SCOPES).toContain(access.scope);
    if (effect === "spend") expect(access).toEqual({ kind: "scope", scope: "index", paid: true });
    if (effect === "purchase") expect(access).toMatchObject({ kind: "scope", scope: "purchase" });
  });

  test("an operation that costs something says how it is paid, and no other does", () => {
    const costs = effect === "spend" || effect === "purchase";
    expect(offersOf(operation, EVERYTHING).length > 0).toBe(costs);
    expect(offersOf(operation, NOTHING_SOLD)).toEqual([]);
    if (operation.takesPayment) expect(effect).toBe("purchase");
    if (rest.status === 402) expect([access.kind, effect]).toEqual(["public", "read"]);
  });

  test("its errors are known, each is named once, and the errors of its access and effect are among them", () => {
    const errors = errorsOf(operation);
    expect(errors.filter((code) => !Object.hasOwn(ERRORS, code))).toEqual([]);
    expect(errors.length).toBe(new Set(errors).size);
    expect(errors).toEqual(expect.arrayContaining(impliedBy(operation)));
  });

  test("its schemas are plain JSON Schema, closed where new fields are refused, and every array in them has items", () => {
    expect(input.additionalProperties).toBe(effect === "read" ? undefined : false);
    const output = outputSchema(operation);
    // Throws for dates, transforms and whatever else JSON Schema has no word for.
    for (const type of [operation.input, operation.output]) z.toJSONSchema(type, { io: "output" });
    expect(JSON.parse(JSON.stringify({ input, output }))).toEqual({ input, output });
    expect(output.type).toBe("object");
    expect(wronglyShut(output)).toEqual([]);
    expect([...everySchemaIn(input), ...everySchemaIn(output)].filter(isBareArray)).toEqual([]);
  });

  test("its defaults for agents are valid input", () => {
    const { shape } = operation.input;
    for (const [field, preset] of Object.entries(operation.agentDefaults ?? {})) {
      expect(shape[field].safeParse(preset)).toMatchObject({ success: true, data: preset });
    }
  });
}

function impliedBy(operation: AnyOperation): ErrorCode[] {
  const { access, rest } = operation;
  const scope: ErrorCode[] = access.kind === "scope" ? ["insufficient_scope"] : [];
  const paid: ErrorCode[] = access.kind === "scope" && access.paid ? ["payment_required"] : [];
  const spend: ErrorCode[] = isSubmission(operation)
    ? ["insufficient_credits", "spending_limit", "approval_required"]
    : [];
  const ids: ErrorCode[] = rest.path.includes("{") ? ["not_found"] : [];
  return ["invalid_request", "unauthorized", "rate_limited", "internal", ...scope, ...paid, ...spend, ...ids];
}

/** What may stand in where there is no credential. */
const HARMLESS = { access: { kind: "public" }, effect: "read" };

/** Settings of a deployment that takes no money. */
const NOTHING_SOLD = { ...EVERYTHING, cards: "none", direct: undefined } as const;

function isBareArray({ type, items }: JsonSchema): boolean {
  return [type].flat().includes("array") && items === undefined;
}

/** Whatever in a schema is a schema, or looks like one. */
function everySchemaIn(value: unknown): JsonSchema[] {
  if (typeof value !== "object" || value === null) return [];
  return [value as JsonSchema, ...Object.values(value).flatMap(everySchemaIn)];
}

const CLOSED = new Set(["account", "project", "pricing"]);

/** Objects that are closed and should be open, or the other way round, by their paths. */
function wronglyShut(schema: JsonSchema, path = "", inClosed = false): string[] {
  const properties = schema.properties as Record<string, JsonSchema> | undefined;
  const object = properties?.object?.const as string | undefined;
  const isEstimate = properties !== undefined && "enough" in properties;
  const shut = object === undefined ? inClosed || isEstimate : CLOSED.has(object);
  const here = properties && (schema.additionalProperties === false) !== shut ? [path || "the answer"] : [];
  const inside = Object.entries(properties ?? {}).flatMap(([name, one]) => wronglyShut(one, `${path}.${name}`, shut));
  const items = schema.items ? wronglyShut(schema.items as JsonSchema, `${path}[]`, shut) : [];
  const others = [schema.anyOf, schema.oneOf].flatMap((list) => (list as JsonSchema[] | undefined) ?? []);
  return [...here, ...inside, ...items, ...others.flatMap((one) => wronglyShut(one, path, shut))];
}
