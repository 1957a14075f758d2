import { type Config, readConfig } from "../platform/config/config.ts";
import { misspeltSettings } from "../platform/config/misspelt-settings.ts";
import { SETTINGS } from "../platform/config/settings.ts";
import { isUnavailable } from "../platform/errors/database-unavailable.ts";
import { errorMessage, errorReport } from "../platform/errors/error-format.ts";
import { Refusal } from "../platform/errors/errors.ts";
import { version } from "../platform/version.ts";
import { type CommandResult, UsageError } from "./command.ts";
import { commandOf, inOrder, optionsOf, refuseMissing, unknownCommand } from "./command-line.ts";
import { helpOf, helpOfCommand } from "./help.ts";
import { commands } from "./index.ts";

export interface Terminal {
  /** @param ifUnwritten what is said besides where the text cannot be written */
  out(text: string, ifUnwritten?: string): void;
  err(text: string): void;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The command line: finds the command, reads its options, runs it and prints its result.
 * @returns exit code: 0 success, 1 failure, 2 wrong usage
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const json = args.includes("--json");
  try {
    const result = await dispatch(args, terminal, json);
    if (!result) return 0;
    terminal.out(`${json ? JSON.stringify(result.data) : result.text}\n`, result.ifUnwritten);
    return result.exitCode ?? 0;
  } catch (thrown) {
    const message = errorMessage(thrown);
    terminal.err(`beckon: ${message}\n`);
    if (json) terminal.out(`${JSON.stringify({ ok: false, error: { message } })}\n`);
    if (!isExpected(thrown)) terminal.err(`${errorReport(thrown)}\n`);
    return thrown instanceof UsageError ? 2 : 1;
  }
}

async function dispatch(
  given: readonly string[],
  terminal: Terminal,
  json: boolean,
): Promise<CommandResult | undefined> {
  const args = inOrder(given);
  const command = commandOf(args, commands);
  if (!command) {
    const word = args.find((arg) => arg !== "--json");
    if (word === "--version") return { data: { name: "beckon", version }, text: version };
    if (word !== undefined && word !== "--help" && word !== "-h") throw unknownCommand(args, commands);
    const list = commands.map(({ name, about }) => ({ name, about }));
    return { data: { commands: list }, text: helpOf(commands), exitCode: word === undefined ? 2 : 0 };
  }
  const options = optionsOf(command, args.slice(command.name.split(" ").length));
  if (options.help) return { data: { name: command.name, about: command.about }, text: helpOfCommand(command) };
  refuseMissing(command, options);
  for (const { written, meant } of misspeltSettings(terminal.env, Object.keys(SETTINGS)))
    terminal.err(`beckon: There is no setting ${written}. If ${meant} is meant, correct its name: it is not set.\n`);
  const config: Config = readConfig(terminal.env);
  const print = (text: string) => terminal.out(`${text}\n`);
  return command.run(options, { config, json, print, progress: (text) => terminal.err(`${text}\n`) });
}

/** Errors thrown on purpose explain themselves; of any other, the stack trace is printed too. */
function isExpected(thrown: unknown): boolean {
  if (thrown instanceof UsageError || thrown instanceof Refusal || isUnavailable(thrown)) return true;
  return (thrown as Error)?.constructor === Error;
}
