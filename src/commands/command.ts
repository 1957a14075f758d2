import type { Config } from "../platform/config/config.ts";

/** One option of a command; every command also takes `--json` and `--help`. */
export interface Option {
  /** The placeholder of the value in the help, e.g. `N`; an option without one is a switch. */
  readonly value?: string;
  readonly about: string;
  readonly required?: true;
}

type Options = Readonly<Record<string, Option>>;

export type Values<O extends Options> = {
  readonly [K in keyof O]: O[K] extends { value: string }
    ? O[K] extends { required: true }
      ? string
      : string | undefined
    : boolean;
};

/** What a command gets besides its options. */
export interface CommandContext {
  readonly config: Config;
  readonly json: boolean;
  /** Prints to standard output, for commands that keep running. */
  print(text: string): void;
  /** Prints a line of progress to standard error. */
  progress(text: string): void;
}

/** The result of a command: data for `--json`, text for people, and the exit code (0 by default). */
export interface CommandResult {
  readonly data: unknown;
  readonly text: string;
  /** What is said where neither can be written: something that is shown once is lost. */
  readonly ifUnwritten?: string;
  readonly exitCode?: number;
}

/** A command of the operator. `name` is what is typed, one or two words. */
export interface CommandOf<O extends Options> {
  readonly name: string;
  readonly about: string;
  /** More for the `--help` of the command. */
  readonly detail?: string;
  readonly options: O;
  /** Lines that work as they stand, without the program's name; the help prints them. */
  readonly examples: readonly string[];
  run(options: Values<O>, context: CommandContext): Promise<CommandResult | undefined>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of commands has no narrower type, see AnyOperation
export type Command = CommandOf<any>;

export function defineCommand<const O extends Options>(command: CommandOf<O>): CommandOf<O> {
  return command;
}

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
