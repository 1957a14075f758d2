import { sourceFrames } from "./source-frames.ts";

/** An error in the form that logs and the operator get. */
export interface SerializedError {
  readonly type: string;
  readonly message: string;
  /** SQLSTATE of PostgreSQL, or the error code of SQLite or of the operating system. */
  readonly code?: string;
  /** The SQL statement that failed, with placeholders instead of values. */
  readonly statement?: string;
  readonly stack?: string;
  readonly cause?: SerializedError;
  readonly [more: string]: unknown;
}

/** Causes are followed to this depth, so that a circle of causes ends. */
const MAX_DEPTH = 8;

/**
 * Serializes anything thrown, for logs and for the operator. The values of SQL statements are left out: drizzle writes
 * them into the message of its error and PostgreSQL into its details, and they are hashes, addresses and customers' pages.
 */
export function serializeError(thrown: unknown, depth = 0): SerializedError {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: String(thrown) };
  const cause = depth < MAX_DEPTH && thrown.cause !== undefined ? serializeError(thrown.cause, depth + 1) : undefined;
  const message = messageOf(thrown, cause);
  const stack = `${thrown.name}: ${message}${framesOf(thrown)}`;
  return { type: typeOf(thrown), message, ...fieldsOf(thrown), stack, ...(cause && { cause }) };
}

/** The message of anything thrown, in one sentence and without the values of a statement. */
export function errorMessage(thrown: unknown): string {
  return serializeError(thrown).message;
}

/** Message, stack and statement of anything thrown and of all its causes, over several lines. */
export function errorReport(thrown: unknown): string {
  const parts: string[] = [];
  for (let error: SerializedError | undefined = serializeError(thrown); error; error = error.cause) {
    parts.push(error.stack ?? error.message);
    if (error.statement) parts.push(`    in: ${error.statement}`);
  }
  return parts.join("\ncaused by ");
}

interface DatabaseError extends Error {
  readonly query?: unknown;
  readonly params?: unknown;
  readonly code?: unknown;
  readonly severity?: unknown;
}

/** Whether drizzle made it; its message holds the parameters. */
function isQueryError({ query, params }: DatabaseError): boolean {
  return typeof query === "string" && Array.isArray(params);
}

/** Whether PostgreSQL's server made it; its details hold values. */
function isServerError({ severity, code }: DatabaseError): boolean {
  return typeof severity === "string" && typeof code === "string";
}

function typeOf(error: Error): string {
  return error.name === "Error" ? error.constructor.name : error.name;
}

function messageOf(error: DatabaseError, cause: SerializedError | undefined): string {
  if (isQueryError(error)) return cause?.message ?? "a statement failed";
  // SQLSTATE class 22 (data exception): the message repeats the value after a colon.
  if (isServerError(error) && String(error.code).startsWith("22")) return error.message.split(":")[0]!;
  if (error instanceof AggregateError)
    return [error.message, ...error.errors.map(errorMessage)].filter(Boolean).join("; ");
  return error.message;
}

/** The stack without its first lines, which repeat the message, in places of the sources. */
function framesOf({ stack = "" }: Error): string {
  const first = stack.search(/\n {4}at /);
  return first === -1 ? "" : sourceFrames(stack.slice(first));
}

function fieldsOf(error: DatabaseError): Readonly<Record<string, unknown>> {
  if (isQueryError(error)) return { statement: error.query };
  if (isServerError(error)) {
    const { code, table, constraint, routine } = error as DatabaseError & Readonly<Record<string, unknown>>;
    return { code, table, constraint, routine };
  }
  const plain = Object.entries(error).filter(([, value]) => /string|number|boolean/.test(typeof value));
  return Object.fromEntries(plain.filter(([name]) => name !== "name" && name !== "message" && name !== "stack"));
}
