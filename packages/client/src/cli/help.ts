import type { Command, Option } from "./command.ts";
import { wrapped } from "./table.ts";

/** The options that every command takes. */
export const COMMON: Readonly<Record<string, Option>> = {
  url: { value: "URL", about: "Address of the service; default: BECKON_URL, or the address of the last login" },
  json: { about: "Print JSON, as is done where the output is not a terminal" },
  text: { about: "Print text for people, even where the output is not a terminal" },
  help: { about: "Show this help" },
};

/** Where the service and the credential come from. */
const SETTINGS = "BECKON_URL and BECKON_API_KEY take precedence over what login has stored.";

export function helpOf(commands: readonly Command[], width: number): string {
  const rows = commands.map(({ name, about }): [string, string] => [name, about]);
  return [
    "Usage: beckon COMMAND [options]",
    "",
    ...columns(rows, width),
    "",
    ...[
      "beckon COMMAND --help says more.",
      SETTINGS,
      "Exit codes: 0 success, 1 refused or failed, 2 wrong usage, 3 not signed in or not allowed, 4 credits or an approval are missing, 5 the service does not answer, 130 interrupted.",
    ].map((line) => wrapped(line, width)),
  ].join("\n");
}

export function helpOfCommand({ name, operands, about, detail, options }: Command, width: number): string {
  const rows = Object.entries({ ...options, ...COMMON }).map(([option, { value, about }]): [string, string] => [
    value === undefined ? `--${option}` : `--${option} ${value}`,
    about,
  ]);
  return [
    wrapped(`Usage: beckon ${[name, operands].filter(Boolean).join(" ")} [options]`, width, "  "),
    "",
    wrapped(`${about}.`, width),
    ...(detail === undefined ? [] : ["", ...detail.split("\n").map((line) => wrapped(line, width))]),
    "",
    ...columns(rows, width),
    "",
    wrapped(SETTINGS, width),
  ].join("\n");
}

/** Two columns; in a narrow terminal the second one is on lines of its own. */
function columns(rows: readonly (readonly [string, string])[], width: number): string[] {
  const first = Math.max(...rows.map(([left]) => left.length)) + 4;
  if (width - first < 30)
    return rows.map(([left, right]) => `  ${left}\n${wrapped(`      ${right}`, width, "      ")}`);
  const indent = " ".repeat(first);
  return rows.map(([left, right]) => wrapped(`${`  ${left}`.padEnd(first)}${right}`, width, indent));
}
