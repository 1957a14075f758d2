import type { z } from "zod";
import { Refusal } from "../platform/errors/errors.ts";
import { RawList } from "../platform/json/raw-list.ts";
import { nearestName } from "../platform/nearest.ts";
import { SIZES } from "../platform/sizes.ts";
import { ScannedUrls, scanUrls } from "../platform/urls/list-scanner.ts";
import { inputIssue } from "./input-issue.ts";
import { type AnyOperation, isIdempotent, refusesUnknownFields } from "./operation.ts";
import { urlList, urlListOrNone } from "./params.ts";

/** One thing that is wrong with an input; `message` follows the path in a sentence. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** Stands for a list that was found valid when it was scanned, so that the schema checks the other fields. */
const A_LIST = ["https://example.com/"];

/** Most problems that a refusal names. */
const MAX_ISSUES = 20;

/**
 * Validates the input of a call. A read ignores fields that it does not know, but a call that spends or changes something
 * refuses them: a misspelt `drip_days` would send everything at once.
 * @throws Refusal invalid_request
 */
export function parseInput(operation: AnyOperation, given: unknown): Record<string, unknown> {
  const input =
    isObject(given) && given.urls instanceof RawList ? { ...given, urls: urlsOf(operation, given.urls) } : given;
  const scanned = isObject(input) && input.urls instanceof ScannedUrls ? { urls: input.urls } : null;
  const plain = scanned ? { ...(input as object), urls: A_LIST } : input;
  const schema = operation.input as z.ZodObject;
  const parsed = schema.safeParse(plain);
  const issues = unknownFields(operation, input);
  if (parsed.success && issues.length === 0) return scanned ? { ...parsed.data, ...scanned } : parsed.data;
  // An invalid input is parsed again to put its problems into words. The first parse goes without them, because most inputs are
  // valid and words make it slower.
  const problems = parsed.success ? [] : schema.safeParse(plain, { error: inputIssue }).error!.issues;
  for (const { path, message } of problems.slice(0, MAX_ISSUES)) {
    const name = pathOf(path);
    issues.push({ path: name, message: path.length === 1 ? message + misspeltAs(operation, input, name) : message });
  }
  throw invalidInput(issues);
}

/** A list that was kept as it came: scanned where it is a list of URLs, else as JSON. @throws Refusal invalid_request */
function urlsOf({ input }: AnyOperation, list: RawList): unknown {
  const takesScanned = input.shape.urls === urlList || input.shape.urls === urlListOrNone;
  const scanned = takesScanned ? scanUrls(list) : null;
  if (scanned) return scanned;
  try {
    return firstOf(list);
  } catch {
    throw invalidInput([{ path: "urls", message: "is not JSON in UTF-8" }]);
  }
}

/** As many entries of a list as are taken and one more, or as many as show what is wrong. */
function firstOf(list: RawList): unknown[] {
  const entries: unknown[] = [];
  let wrong = 0;
  for (const entry of list.elements()) {
    entries.push(entry);
    if (typeof entry !== "string" || entry.length > SIZES.urlLength) wrong += 1;
    if (entries.length > SIZES.itemsPerRequest || wrong === MAX_ISSUES) break;
  }
  return entries;
}

/** The first fields of an input that a call which spends or changes something does not know, each with the nearest that it does. */
export function unknownFields(operation: AnyOperation, input: unknown): Issue[] {
  if (!refusesUnknownFields(operation)) return [];
  const known = knownFields(operation);
  const named = unknownNames(operation, input).slice(0, MAX_ISSUES);
  return named.map((name) => {
    const nearest = nearestName(name, known);
    const hint = nearest ? `did you mean \`${nearest}\`?` : `it knows ${known.map((one) => `\`${one}\``).join(", ")}`;
    return { path: printable(name), message: `is not known; ${hint}` };
  });
}

/** The refusal of an input. @param issues at least one */
export function invalidInput(issues: readonly Issue[]): Refusal {
  const { path, message } = issues[0]!;
  const subject = path === "" ? "The input" : `\`${path}\``;
  const sentence = `${subject}${message.startsWith("is ") ? "" : ":"} ${message}${message.endsWith("?") ? "" : "."}`;
  return new Refusal("invalid_request", `${sentence} Nothing was changed.`, { issues: issues.slice(0, MAX_ISSUES) });
}

/**
 * Takes the idempotency key out of an input. It may be the header `Idempotency-Key`, or the field `idempotency_key` next to the
 * others, over every surface.
 * @throws Refusal invalid_request for a key that is no text, and for two different ones
 */
export function splitIdempotencyKey<Input>(
  { effect }: AnyOperation,
  input: Input,
  header: string | undefined,
): { input: Input; key: string | undefined } {
  if (effect === "read" || !isObject(input) || !Object.hasOwn(input, KEY)) return { input, key: header };
  const { [KEY]: given, ...rest } = input;
  const key = given ?? undefined;
  if (key !== undefined && typeof key !== "string") throw invalidInput([{ path: KEY, message: "must be text" }]);
  if (key !== undefined && header !== undefined && key !== header) {
    throw invalidInput([{ path: KEY, message: "differs from the header Idempotency-Key; send one of the two" }]);
  }
  return { input: rest as Input, key: key ?? header };
}

const KEY = "idempotency_key";

/** A field that is missing, and may have been sent under another name. */
function misspeltAs(operation: AnyOperation, input: unknown, field: string): string {
  if (!isObject(input) || input[field] !== undefined) return "";
  const sent = unknownNames(operation, input)
    .slice(0, MAX_ISSUES)
    .find((name) => nearestName(name, knownFields(operation)) === field);
  return sent === undefined ? "" : `; \`${printable(sent)}\` is not known`;
}

function unknownNames({ input: schema }: AnyOperation, input: unknown): string[] {
  if (!isObject(input)) return [];
  return Object.keys(input).filter((name) => name !== KEY && !Object.hasOwn(schema.shape, name));
}

/** With the key of the call where it is used. Any other change takes one as well, as it takes the header, and does nothing with it. */
function knownFields(operation: AnyOperation): string[] {
  return [...Object.keys(operation.input.shape), ...(isIdempotent(operation) ? [KEY] : [])];
}

/** A name that a caller has made up, short enough for a sentence and without what a terminal might act upon. */
function printable(name: string): string {
  return name.replace(/[^\x20-\x7e]|`/g, "?").slice(0, 64);
}

/** `urls[3]`, `options.name` */
function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : `${text}${text && "."}${String(part)}`),
    "",
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
