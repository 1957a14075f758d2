import type { z } from "zod";

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** What is wrong with a field, in words for a caller who does not know the schema's library; undefined leaves its own words. */
export function inputIssue(issue: RawIssue): string | undefined {
  if (issue.input === undefined && (issue.code === "invalid_type" || issue.code === "invalid_value"))
    return "is required";
  if (issue.code === "invalid_type") return `must be ${TYPES[issue.expected as string] ?? issue.expected}`;
  if (issue.code === "invalid_value") return `must be ${list(issue.values)}`;
  if (issue.code === "invalid_format" && issue.format === "datetime")
    return "must be a time such as 2026-01-05T00:00:00Z";
  if (issue.code === "too_big") return `at most ${issue.maximum}${UNITS[issue.origin] ?? ""}`;
  if (issue.code !== "too_small") return undefined;
  return issue.minimum === 1 && issue.origin !== "number" ? "must not be empty" : `at least ${issue.minimum}`;
}

const TYPES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  string: "text",
};

const UNITS: Readonly<Record<string, string>> = { array: " entries", string: " characters" };

function list(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(", ")}`;
}
