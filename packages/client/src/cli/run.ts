import { parseArgs } from "node:util";
import { BeckonError } from "../error.ts";
import { type Command, type Terminal, textIn, UsageError, type Values } from "./command.ts";
import { commands } from "./commands/index.ts";
import { contextOf } from "./context.ts";
import { COMMON, helpOf, helpOfCommand } from "./help.ts";
import { plain, safeTerminal } from "./safe-terminal.ts";
import { wrapped } from "./table.ts";
import { unknownCommand } from "./unknown-command.ts";
import { wrongOption } from "./wrong-option.ts";

/** Exit codes of refusals that a caller can do something about. */
const EXIT_CODES: readonly (readonly [exitCode: number, codes: readonly string[]])[] = [
  [3, ["unauthorized", "insufficient_scope"]],
  [4, ["payment_required", "insufficient_credits", "spending_limit", "approval_required"]],
  [5, ["no_answer", "timeout", "unavailable", "rate_limited", "bad_address", "not_beckon"]],
];

/**
 * Runs a command and prints its result, or why it failed.
 * @returns exit code: see the help
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const command = commands.find(({ name }) => name === args[0]);
  const json = !args.includes("--text") && (args.includes("--json") || !terminal.isOutputTerminal);
  // The output of `mcp` is for messages of the protocol, and nothing else.
  const printsErrors = json && command?.name !== "mcp";
  try {
    if (command) return await runCommand(command, args.slice(1), { ...terminal, json });
    const [word] = args;
    if (word === "--version") await terminal.out(`${await versionOf()}\n`);
    else if (word === undefined || ["--help", "-h", "help"].includes(word))
      await terminal.out(`${helpOf(commands, terminal.width)}\n`);
    else throw unknownCommand(word, commands);
    return word === undefined ? 2 : 0;
  } catch (thrown) {
    return failed(thrown, terminal, printsErrors);
  }
}

async function runCommand(command: Command, args: readonly string[], terminal: Terminal & { json: boolean }) {
  const { values, operands } = parsed(command, args);
  if (values.help) {
    await terminal.out(`${helpOfCommand(command, terminal.width)}\n`);
    return 0;
  }
  refuseSurplus(command, operands);
  const context = await contextOf(textIn(values, "url"), terminal);
  const result = await command.run(operands, values, context);
  if (result) await context.out(`${terminal.json ? JSON.stringify(result.data) : result.text}\n`);
  return result?.exitCode ?? 0;
}

/** @throws UsageError */
function parsed(command: Command, args: readonly string[]): { values: Values; operands: string[] } {
  const all = { ...command.options, ...COMMON };
  const types = Object.entries(all).map(([name, { value }]) => [name, { type: value ? "string" : "boolean" }] as const);
  const options = { ...Object.fromEntries(types), help: { type: "boolean", short: "h" } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
    for (const [name, value] of Object.entries(values as Values)) {
      const allowed = all[name]!.values;
      if (allowed && !allowed.includes(String(value))) throw new Error(`--${name}: one of ${allowed.join(", ")}`);
    }
    return { values: values as Values, operands: positionals };
  } catch (thrown) {
    throw new UsageError(`${wrongOption(thrown, args, Object.keys(all))} Run "beckon ${command.name} --help".`);
  }
}

/** @throws UsageError where a command that takes no operand gets one */
function refuseSurplus({ name, operands }: Command, [word]: readonly string[]): void {
  if (operands !== "" || word === undefined) return;
  throw new UsageError(`"${word}" is a word too many: beckon ${name} takes options only. Run "beckon ${name} --help".`);
}

async function failed(thrown: unknown, raw: Terminal, json: boolean): Promise<number> {
  const terminal = safeTerminal({ ...raw, json });
  if (terminal.signal.aborted) {
    terminal.err("\nInterrupted. What was begun can be continued by the same command.\n");
    return 130;
  }
  const { message } = thrown as Error;
  const isOurs = thrown instanceof BeckonError;
  terminal.err(`${wrapped(plain(`beckon: ${message}`), Math.max(terminal.width, 40))}\n`);
  for (const line of isOurs ? nextStepsOf(thrown) : []) terminal.err(`${plain(line)}\n`);
  if (json) {
    const error = isOurs ? { code: thrown.code, message, ...thrown.fields } : { message };
    await terminal.out(`${JSON.stringify({ error })}\n`);
  }
  if (!isOurs) return thrown instanceof UsageError ? 2 : 1;
  return EXIT_CODES.find(([, codes]) => codes.includes(thrown.code))?.[0] ?? 1;
}

/** What the person can do next. */
function nextStepsOf({ code, fields }: BeckonError): string[] {
  const issues = Array.isArray(fields.issues) ? (fields.issues as { path: string; message: string }[]) : [];
  const steps = issues.map(({ path, message }) => `  ${path}: ${message}`);
  if (code === "unauthorized") steps.push("Run: beckon login");
  if (code === "insufficient_scope") steps.push(`Run: beckon login --scopes read,index,${fields.required_scope}`);
  for (const name of ["buy_url", "approval_url"])
    if (typeof fields[name] === "string") steps.push(`Open: ${fields[name]}`);
  return steps;
}

async function versionOf(): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  return JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8")).version;
}
