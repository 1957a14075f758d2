import { nearestName } from "./nearest.ts";

/**
 * What is wrong with the options of a command line.
 * @param thrown what Node's parseArgs has thrown
 * @param args what it was given
 * @param names the options that there are
 */
export function wrongOption(thrown: unknown, args: readonly string[], names: readonly string[]): string {
  const { message } = thrown as Error;
  const ambiguous = /^Option '(--[^' ]+)[^']*' argument is ambiguous/.exec(message)?.[1];
  if (ambiguous !== undefined) return wrongValue(ambiguous, args, names);
  const [reason] = message.split(". To specify");
  const unknown = /^Unknown option '--([^']+)'/.exec(reason!)?.[1];
  const near = unknown === undefined ? null : nearestName(unknown, names);
  return `${reason}.${near === null ? "" : ` Did you mean --${near}?`}`;
}

/** An option is followed by a word that begins with a dash: the next option, or its value. */
function wrongValue(option: string, args: readonly string[], names: readonly string[]): string {
  const value = args.find((word, index) => args[index - 1] === option && word.length > 1 && word.startsWith("-"))!;
  if (names.some((name) => `--${name}` === value.split("=")[0])) return `${option}: the value is missing.`;
  return `${option}: a value that begins with - is written ${option}=${value}.`;
}
