import { ownCommand } from "../platform/own-command.ts";
import type { Command, Option } from "./command.ts";

export function helpOf(commands: readonly Command[]): string {
  return [
    `Usage: ${ownCommand("<command> [options]")}`,
    "",
    "Commands:",
    ...columns(commands.map(({ name, about }) => [name, about])),
    "",
    "Every command takes --json (one JSON document on standard output) and --help.",
    "Exit codes: 0 success, 1 failure or problems found, 2 wrong usage, 3 warnings alone (doctor).",
    "Settings come from the environment; docs/settings.md lists them. DATABASE_URL names the database, by default the SQLite",
    "file data/beckon.db in the current folder.",
  ].join("\n");
}

export function helpOfCommand({ name, about, detail, options, examples }: Command): string {
  const own = Object.entries(options as Record<string, Option>).map(
    ([option, { about, required }]): [string, string] => [
      shown(option, options[option]),
      required ? `${about} (required)` : about,
    ],
  );
  return [
    `Usage: ${ownCommand(usageOf({ name, options }))}`,
    "",
    about,
    ...(detail ? ["", detail] : []),
    "",
    "Options:",
    ...columns([...own, ["--json", "Print one JSON document"], ["--help", "Show this help"]]),
    "",
    examples.length === 1 ? "Example:" : "Examples:",
    ...examples.map((line) => `  ${ownCommand(line)}`),
  ].join("\n");
}

/** `key create --name N [--email E] [--json]` */
export function usageOf({ name, options }: Pick<Command, "name" | "options">): string {
  const words = Object.entries(options as Record<string, Option>)
    .sort(([, a], [, b]) => Number(b.required ?? false) - Number(a.required ?? false))
    .map(([option, spec]) => (spec.required ? shown(option, spec) : `[${shown(option, spec)}]`));
  return [name, ...words, "[--json]"].join(" ");
}

function shown(name: string, { value }: Option): string {
  return value ? `--${name} ${value}` : `--${name}`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
