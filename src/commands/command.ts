import type { Config } from "../platform/config/config.ts";

/** One option of a command; every command also takes `--json` and `--help`. */
export interface Option {
  /** What stands for the value in the help, e.g. `N`; an option without one is a switch. */
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

/** What a command is given beside its options. */
export interface Surroundings {
  readonly config: Config;
  readonly json: boolean;
  /** For commands that go on running and speak before they end. */
  print(text: string): void;
  /** A line about what goes on, for people; on standard error. */
  tell(text: string): void;
}

/** What a command says when it is done: to a program, to a person, and as exit code (0 unless said). */
export interface Outcome {
  readonly data: unknown;
  readonly text: string;
  readonly exitCode?: number;
}

/** A command of the operator: `name` is what is typed, in one or two words. */
export interface CommandOf<O extends Options> {
  readonly name: string;
  readonly about: string;
  /** More for `beckon <command> --help`. */
  readonly detail?: string;
  readonly options: O;
  run(options: Values<O>, around: Surroundings): Promise<Outcome | undefined>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of commands has no narrower type, see AnyOperation
export type Command = CommandOf<any>;

export function defineCommand<const O extends Options>(command: CommandOf<O>): CommandOf<O> {
  return command;
}

/** What was typed cannot be carried out as it stands: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
