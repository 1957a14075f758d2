import type { Client } from "../client.ts";
import type { Store } from "./store.ts";

/** An option of a command; every command also takes `--json`, `--text`, `--url` and `--help`. */
export interface Option {
  /** The placeholder of the value in the help, e.g. `N`; an option without one is a switch. */
  readonly value?: string;
  readonly about: string;
  /** The values that it may have. */
  readonly values?: readonly string[];
}

export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** What the program runs in. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes to standard output. @returns when it can take more */
  out(text: string): Promise<void>;
  /** Writes to standard error. */
  err(text: string): void;
  /** Whether a person reads the output, and whether a person types the input. */
  readonly isOutputTerminal: boolean;
  readonly isInputTerminal: boolean;
  /** Whether the terminal passes on each key at once and shows none, so that a secret can be typed. */
  hideTyping(isHidden: boolean): void;
  /** Characters of a line. */
  readonly width: number;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** A terminal that obeys nothing of what a service has said. */
export interface SafeTerminal extends Terminal {
  /** Whether to print JSON. */
  readonly json: boolean;
  /** Replaces the line of standard output that was not ended. */
  redraw(line: string): Promise<void>;
}

export interface Context extends SafeTerminal {
  readonly store: Store;
  /** Address of the service. @throws UsageError where none is known */
  readonly url: string;
  /** The client of the service, signed in. @throws UsageError */
  readonly client: Client;
}

/** What a command prints: data as JSON, or text for people. */
export interface Result {
  readonly data: unknown;
  readonly text: string;
  readonly exitCode?: number;
}

export interface Command {
  readonly name: string;
  /** What follows the name, e.g. `PROJECT`; in brackets if it can be left out. */
  readonly operands: string;
  readonly about: string;
  /** More for the help of the command. */
  readonly detail?: string;
  readonly options: Readonly<Record<string, Option>>;
  run(operands: readonly string[], values: Values, context: Context): Promise<Result | undefined>;
}

/** The command line is wrong, or something has to be set first: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The only operand of a command. @throws UsageError */
export function onlyOperand(operands: readonly string[], name: string): string {
  if (operands.length === 1) return operands[0]!;
  throw new UsageError(operands.length === 0 ? `${name} is missing.` : `One ${name} at a time.`);
}

/** The value of an option; undefined where it is not given. */
export function textIn(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** A whole number from 0. @throws UsageError */
export function countIn(values: Values, name: string): number | undefined {
  const text = textIn(values, name);
  if (text === undefined || /^\d{1,9}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new UsageError(`--${name}: "${text}" is not a whole number.`);
}
