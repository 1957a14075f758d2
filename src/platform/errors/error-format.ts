/** An error as it may be written down. */
export interface Described {
  readonly type: string;
  readonly message: string;
  /** SQLSTATE of PostgreSQL, code of SQLite or of the system. */
  readonly code?: string;
  /** The statement that failed, with places instead of values. */
  readonly statement?: string;
  readonly stack?: string;
  readonly cause?: Described;
  readonly [more: string]: unknown;
}

/** Causes are followed so far. */
const DEEPEST = 8;

/**
 * Anything thrown, for logs and for the operator. Values of statements stand in none of it: drizzle writes them into the
 * message of its error and PostgreSQL into its details, and they are hashes, addresses and pages of people.
 */
export function describe(thrown: unknown, depth = 0): Described {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: String(thrown) };
  const cause = depth < DEEPEST && thrown.cause !== undefined ? describe(thrown.cause, depth + 1) : undefined;
  const message = messageOf(thrown, cause);
  const stack = `${thrown.name}: ${message}${framesOf(thrown)}`;
  return { type: typeOf(thrown), message, ...factsOf(thrown), stack, ...(cause && { cause }) };
}

/** One sentence of anything thrown, without the values of a statement. */
export function sentenceOf(thrown: unknown): string {
  return describe(thrown).message;
}

/** The same with the places in the code, through all causes. */
export function storyOf(thrown: unknown): string {
  const told: string[] = [];
  for (let one: Described | undefined = describe(thrown); one; one = one.cause) {
    told.push(one.stack ?? one.message);
    if (one.statement) told.push(`    in: ${one.statement}`);
  }
  return told.join("\ncaused by ");
}

interface Failed extends Error {
  readonly query?: unknown;
  readonly params?: unknown;
  readonly code?: unknown;
  readonly severity?: unknown;
}

/** drizzle's own: its message holds the parameters. */
function isOfQuery({ query, params }: Failed): boolean {
  return typeof query === "string" && Array.isArray(params);
}

/** PostgreSQL's own: details, and places where values stand. */
function isOfServer({ severity, code }: Failed): boolean {
  return typeof severity === "string" && typeof code === "string";
}

function typeOf(error: Error): string {
  return error.name === "Error" ? error.constructor.name : error.name;
}

function messageOf(error: Failed, cause: Described | undefined): string {
  if (isOfQuery(error)) return cause?.message ?? "a statement failed";
  // Class 22 is about a value, and repeats it after a colon.
  if (isOfServer(error) && String(error.code).startsWith("22")) return error.message.split(":")[0]!;
  if (error instanceof AggregateError)
    return [error.message, ...error.errors.map(sentenceOf)].filter(Boolean).join("; ");
  return error.message;
}

/** Where it was thrown; what comes before the first place is the message, again. */
function framesOf({ stack = "" }: Error): string {
  const first = stack.search(/\n {4}at /);
  return first === -1 ? "" : stack.slice(first);
}

function factsOf(error: Failed): Readonly<Record<string, unknown>> {
  if (isOfQuery(error)) return { statement: error.query };
  if (isOfServer(error)) {
    const { code, table, constraint, routine } = error as Failed & Readonly<Record<string, unknown>>;
    return { code, table, constraint, routine };
  }
  const plain = Object.entries(error).filter(([, value]) => /string|number|boolean/.test(typeof value));
  return Object.fromEntries(plain.filter(([name]) => name !== "name" && name !== "message" && name !== "stack"));
}
