import { z } from "zod";
import { isStorable } from "../../src/platform/text.ts";
import { Fault, type Violation } from "./errors.ts";

/** How fields of requests are read, the same in every method (A2A 1.0 section 5.7, ProtoJSON). */

/** Longest id, in UTF-16 code units. Our own have 26. */
const MAX_ID_LENGTH = 256;

const nullToUndefined = (value: unknown) => value ?? undefined;
export const emptyToUndefined = (value: unknown) => (value === "" ? undefined : nullToUndefined(value));

export function optional<T extends z.ZodType>(schema: T, empty: (value: unknown) => unknown = nullToUndefined) {
  return z.preprocess(empty, schema.optional()).optional();
}

/** An object whose fields may also have their names in a2a.proto, as ProtoJSON allows: `task_id` for `taskId`. */
export function fields<T extends z.ZodRawShape>(shape: T) {
  const aliases = Object.keys(shape).map((name) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    name,
  ]);
  const withoutAliases = (value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const own = value as Record<string, unknown>;
    const found = aliases.filter(([alias, name]) => alias !== name && Object.hasOwn(own, alias!));
    return { ...Object.fromEntries(found.map(([alias, name]) => [name, own[alias!]])), ...own };
  };
  return z.preprocess(withoutAliases, z.object(shape));
}

export const Id = z
  .string()
  .max(MAX_ID_LENGTH, `at most ${MAX_ID_LENGTH} characters`)
  .refine(isStorable, "text without U+0000 and unpaired surrogates");
export const RequiredId = Id.min(1, "required, and not empty");
export const Tenant = optional(z.string().refine((tenant) => tenant === "", "this service has no tenants: omit it"));

/** @throws Fault INVALID_PARAMS */
export function parse<T extends z.ZodType>(schema: T, params: unknown): z.output<T> {
  if (typeof params !== "object" || params === null || Array.isArray(params)) {
    throw new Fault("INVALID_PARAMS", "The parameters must be an object.", [
      { field: "params", description: "must be an object" },
    ]);
  }
  const parsed = schema.safeParse(params, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const violations = parsed.error.issues.slice(0, 20).map(violationOf);
  const { field, description } = violations[0]!;
  throw new Fault("INVALID_PARAMS", `Invalid parameters. \`${field}\`: ${description}.`, violations);
}

function describeIssue({ code, input, ...issue }: z.core.$ZodRawIssue): string | undefined {
  if (code !== "invalid_type") return undefined;
  return input === undefined ? "required" : `must be ${TYPE_WORDS[String(issue.expected)] ?? "of another type"}`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "a text",
  array: "a list",
  object: "an object",
  record: "an object",
  number: "a number",
  boolean: "true or false",
};

function violationOf({ path, message }: z.core.$ZodIssue): Violation {
  const field = path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : `${text}${text && "."}${String(part)}`),
    "",
  );
  return { field, description: message };
}
