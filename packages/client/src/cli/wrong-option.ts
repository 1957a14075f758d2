import { nearestName } from "./nearest.ts";

/**
 * What is wrong with the options of a command line.
 * @param thrown what Node's parseArgs has thrown
 * @param names the options that there are
 */
export function wrongOption(thrown: unknown, names: readonly string[]): string {
  const [reason] = (thrown as Error).message.split(". To specify");
  const unknown = /^Unknown option '--([^']+)'/.exec(reason!)?.[1];
  const near = unknown === undefined ? null : nearestName(unknown, names);
  return `${reason}.${near === null ? "" : ` Did you mean --${near}?`}`;
}
