import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listOf } from "../src/contract/fit-page.ts";
import { componentSchema, inputSchema, type JsonSchema } from "../src/contract/json-schema.ts";
import { type Access, type AnyOperation, isIdempotent, scopesOf } from "../src/contract/operation.ts";
import { ERRORS } from "../src/platform/errors/errors.ts";
import { packageRoot } from "../src/platform/package-root.ts";
import { operations } from "../tools/index.ts";
import { commentOf, typeOf } from "./type-of-schema.ts";

const FOLDER = "packages/client/src/generated";

const HEAD = "// biome-ignore-all format: generated\n// Written by `npm run generate` from the operations in tools/.\n";

/** Brings the generated files of the client package up to date, unless `checking`. @returns those that were not */
export function updateClient(checking: boolean): string[] {
  const files = { shapes: shapes(), calls: calls(), operations: table(), fields: fields() };
  return Object.entries(files).flatMap(([name, text]) => {
    const file = `${FOLDER}/${name}.ts`;
    const path = join(packageRoot, file);
    const wanted = `${HEAD}${text}`;
    if (existsSync(path) && readFileSync(path, "utf8") === wanted) return [];
    if (!checking) writeFileSync(path, wanted);
    return [file];
  });
}

/** The named shapes of answers, and the codes of errors. */
function shapes(): string {
  const all = new Map(operations.flatMap((one) => Object.entries(componentSchema(one).components)));
  const codes = Object.entries(ERRORS).map(([code, { status, title }]) => `  /** ${title}. */\n  ${code}: ${status};`);
  return [
    ...[...all].map(([name, schema]) => declared(name, schema)),
    `\n/** The codes of the service's errors, with their HTTP status. */\nexport interface ErrorStatuses {\n${codes.join("\n")}\n}\n`,
  ].join("");
}

/** The types of inputs and answers, and a method of each operation. */
function calls(): string {
  const bodies = operations.map((one) => {
    const { schema } = componentSchema(one);
    return `${declared(`${pascal(one)}Input`, inputSchema(one, "program"))}${declared(`${pascal(one)}Answer`, schema)}`;
  });
  const methods = operations.map((one) => {
    const isOptional = !((inputSchema(one, "program").required as string[]) ?? []).length;
    const about = `${one.description}\n\`${one.rest.method} ${one.rest.path}\`; ${needs(one.access)}.`;
    return `${commentOf(about, "  ")}  ${camel(one)}(input${isOptional ? "?" : ""}: ${pascal(one)}Input, options?: CallOptions): Promise<${pascal(one)}Answer>;\n`;
  });
  const lists = operations.flatMap((one) => {
    const list = listOf(one);
    return list ? [`  ${camel(one)}: ${pascal(one)}Answer["${list.name}"][number];\n`] : [];
  });
  const text = `${bodies.join("")}
/** A method for each operation of the service. */
export interface Operations {
${methods.join("")}}

/** The records of the operations that answer pages. */
export interface Records {
${lists.join("")}}
`;
  const used = [...text.matchAll(/(?<!\w)([A-Z]\w+)\b/g)].map(([, name]) => name!);
  const named = new Set(operations.flatMap((one) => Object.keys(componentSchema(one).components)));
  const imported = [...named].filter((name) => used.includes(name)).sort();
  return `import type { CallOptions } from "../call-options.ts";\nimport type { ${imported.join(", ")} } from "./shapes.ts";\n${text}`;
}

/** How each operation is called over REST. */
function table(): string {
  const rows = operations.map((one) => {
    const list = listOf(one);
    const limit = (inputSchema(one, "program").properties as Record<string, JsonSchema>).limit?.maximum ?? null;
    const page = list && { list: list.name, by: list.isByCursor ? "cursor" : "offset", limit };
    const { method, path, bodyField } = one.rest;
    const formats = (one.representations ?? []).map(({ suffix }) => suffix);
    const row = {
      name: one.name,
      method,
      path,
      effect: one.effect,
      takesKey: isIdempotent(one),
      page,
      formats,
      bodyField,
    };
    return `  ${camel(one)}: ${JSON.stringify(row)},\n`;
  });
  return `import type { OperationRow } from "../call-options.ts";
import type { Operations } from "./calls.ts";

/** How each operation is called over REST. */
export const OPERATIONS: { readonly [Name in keyof Operations]: OperationRow } = {
${rows.join("")}};
`;
}

/** The fields of each operation, for the command line. */
function fields(): string {
  const rows = operations.map((one) => {
    const { properties, required = [] } = inputSchema(one, "program") as {
      properties: Record<string, JsonSchema>;
      required?: string[];
    };
    const own = Object.entries(properties).map(([name, schema]) => {
      const about = String(schema.description ?? "");
      const values = (schema.enum as unknown[] | undefined)?.map(String) ?? null;
      return [name, { type: kindOf(schema), isRequired: required.includes(name), values, about }] as const;
    });
    return `  ${camel(one)}: ${JSON.stringify({ title: one.title, fields: Object.fromEntries(own) })},\n`;
  });
  return `import type { OperationFields } from "../cli/operation-fields.ts";
import type { Operations } from "./calls.ts";

/** The fields of each operation, for the command line. */
export const FIELDS: { readonly [Name in keyof Operations]: OperationFields } = {
${rows.join("")}};
`;
}

/** What the text of an argument becomes. */
function kindOf({ type, enum: values }: JsonSchema): "text" | "number" | "boolean" | "list" | "json" {
  const one = Array.isArray(type) ? type.find((name) => name !== "null") : type;
  if (one === "integer" || one === "number") return "number";
  if (one === "boolean") return "boolean";
  if (one === "array") return "list";
  if (Array.isArray(values)) return values.every((value) => typeof value === "number") ? "number" : "text";
  return one === "string" ? "text" : "json";
}

function declared(name: string, schema: JsonSchema): string {
  const type = typeOf(schema);
  return type.startsWith("{") ? `\nexport interface ${name} ${type}\n` : `\nexport type ${name} = ${type};\n`;
}

function needs(access: Access): string {
  if (access.kind === "public") return "needs no credential";
  if (access.kind === "credential") return "needs any credential";
  const scopes = scopesOf(access).map((scope) => `the scope ${scope}`);
  return `needs ${[...scopes, ...(access.paid ? ["a paid account"] : [])].join(" and ")}`;
}

function pascal({ name }: AnyOperation): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function camel({ name }: AnyOperation): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
