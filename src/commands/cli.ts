import { parseArgs } from "node:util";
import { wrongOption } from "../../packages/client/src/cli/wrong-option.ts";
import { type Config, readConfig } from "../platform/config/config.ts";
import { misspeltSettings } from "../platform/config/misspelt-settings.ts";
import { SETTINGS } from "../platform/config/settings.ts";
import { isUnavailable } from "../platform/errors/database-unavailable.ts";
import { errorMessage, errorReport } from "../platform/errors/error-format.ts";
import { Refusal } from "../platform/errors/errors.ts";
import { nearestName } from "../platform/nearest.ts";
import { ownCommand } from "../platform/own-command.ts";
import { version } from "../platform/version.ts";
import { type Command, type CommandResult, type Option, UsageError } from "./command.ts";
import { helpOf, helpOfCommand } from "./help.ts";
import { commands } from "./index.ts";

export interface Terminal {
  out(text: string): void;
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
    terminal.out(`${json ? JSON.stringify(result.data) : result.text}\n`);
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
  args: readonly string[],
  terminal: Terminal,
  json: boolean,
): Promise<CommandResult | undefined> {
  const command = commandOf(args);
  if (!command) {
    const word = args.find((arg) => arg !== "--json");
    if (word === "--version") return { data: { name: "beckon", version }, text: version };
    if (word !== undefined && word !== "--help" && word !== "-h" && word !== "help") throw unknownCommand(args);
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

/** One or two words name a command; the nearest name is offered, or those that begin with the word. */
function unknownCommand(args: readonly string[]): UsageError {
  const words = args.filter((arg) => !arg.startsWith("-")).slice(0, 2);
  const names = commands.map(({ name }) => name);
  const group = words.length === 1 ? names.filter((name) => name.startsWith(`${words[0]} `)) : [];
  const near = nearestName(words.join(" "), names) ?? nearestName(words[0] ?? "", names);
  const meant = group.length > 0 ? ` There are: ${group.join(", ")}.` : near === null ? "" : ` Did you mean "${near}"?`;
  const list = `Run "${ownCommand("--help")}" for the list.`;
  return new UsageError(`there is no command "${words.join(" ") || args[0]}".${meant} ${list}`);
}

function commandOf(args: readonly string[]): Command | undefined {
  return commands.find(({ name }) => args.slice(0, name.split(" ").length).join(" ") === name);
}

function optionsOf(command: Command, args: readonly string[]): Record<string, string | boolean> {
  const own = Object.entries(command.options as Record<string, Option>);
  const types = own.map(([name, { value }]) => [name, { type: value ? "string" : "boolean" }] as const);
  const options = {
    ...Object.fromEntries(types),
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
    return { ...values } as Record<string, string | boolean>;
  } catch (thrown) {
    throw new UsageError(`${wrongOption(thrown, args, Object.keys(options))} ${seeHelp(command)}`);
  }
}

function refuseMissing(command: Command, options: Record<string, unknown>): void {
  for (const [name, { required }] of Object.entries(command.options as Record<string, Option>)) {
    if (required && options[name] === undefined) throw new UsageError(`--${name} is missing. ${seeHelp(command)}`);
  }
}

function seeHelp({ name }: Command): string {
  return `Run "${ownCommand(`${name} --help`)}".`;
}

/** Errors thrown on purpose explain themselves; of any other, the stack trace is printed too. */
function isExpected(thrown: unknown): boolean {
  if (thrown instanceof UsageError || thrown instanceof Refusal || isUnavailable(thrown)) return true;
  return (thrown as Error)?.constructor === Error;
}
