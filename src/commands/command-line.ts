import { parseArgs } from "node:util";
import { wrongOption } from "../../packages/client/src/cli/wrong-option.ts";
import { nearestName } from "../platform/nearest.ts";
import { ownCommand } from "../platform/own-command.ts";
import { type Command, type Option, UsageError } from "./command.ts";

/** Options of every command. They may also stand before its name, and between the words of it. */
const EVERYWHERE = ["--json", "--help", "-h"];

/**
 * The arguments with the words of the command first. `help` before a command is its `--help`; alone it asks for the list of
 * commands.
 */
export function inOrder(args: readonly string[]): string[] {
  const words: string[] = [];
  const options: string[] = [];
  let at = 0;
  for (; at < args.length && words.length < 2; at++) {
    const arg = args[at]!;
    if (EVERYWHERE.includes(arg)) options.push(arg);
    else if (arg === "help" && words.length === 0) options.push("--help");
    else if (arg.startsWith("-")) break;
    else words.push(arg);
  }
  return [...words, ...options, ...args.slice(at)];
}

export function commandOf(args: readonly string[], commands: readonly Command[]): Command | undefined {
  return commands.find(({ name }) => args.slice(0, name.split(" ").length).join(" ") === name);
}

/** One or two words name a command. The nearest name is offered, or the commands that begin with the word. @param args in order */
export function unknownCommand(args: readonly string[], commands: readonly Command[]): UsageError {
  const list = `Run "${ownCommand("--help")}" for the list.`;
  const option = args.find((arg) => arg.startsWith("-") && !EVERYWHERE.includes(arg));
  const end = args.findIndex((arg) => arg.startsWith("-"));
  const words = args.slice(0, end === -1 ? 2 : Math.min(2, end));
  if (words.length > 0) {
    const isBetween = option !== undefined && words.length === 1;
    return new UsageError(`there is no command "${words.join(" ")}".${meant(words, isBetween, commands)} ${list}`);
  }
  // Its value may be a secret.
  return new UsageError(`${option!.split("=")[0]} is an option: put options after the command. ${list}`);
}

function meant(words: readonly string[], isOptionBetween: boolean, commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name);
  const near = words.length === 1 ? nearestName(words[0]!, firstWords(names)) : null;
  const group = names.filter((name) => name.startsWith(`${near} `));
  if (group.length > 0) {
    return ` There are: ${group.join(", ")}.${isOptionBetween ? " Put options after both words." : ""}`;
  }
  const name = nearestName(words.join(" "), names) ?? nearestName(words[0]!, names);
  return name === null ? "" : ` Did you mean "${name}"?`;
}

function firstWords(names: readonly string[]): string[] {
  return names.map((name) => name.split(" ")[0]!);
}

/** The values of a command's options. @param args those after its name @throws UsageError */
export function optionsOf(command: Command, args: readonly string[]): Record<string, string | boolean> {
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

/** @throws UsageError */
export function refuseMissing(command: Command, options: Record<string, unknown>): void {
  for (const [name, { required }] of Object.entries(command.options as Record<string, Option>)) {
    if (required && options[name] === undefined) throw new UsageError(`--${name} is missing. ${seeHelp(command)}`);
  }
}

function seeHelp({ name }: Command): string {
  return `Run "${ownCommand(`${name} --help`)}".`;
}
