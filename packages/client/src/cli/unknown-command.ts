import { type Command, UsageError } from "./command.ts";
import { nearestName } from "./nearest.ts";
import { plain } from "./safe-terminal.ts";

/** Words that people try, each with the command that does what they mean. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["project", "status"],
  ["projects", "status"],
  ["list", "status"],
  ["urls", "links"],
  ["balance", "credits"],
  ["buy", "credits"],
  ["events", "listen"],
  ["sitemap", "watch"],
  ["sitemaps", "watch"],
  ["logs", "visits"],
]);

/** The refusal of a word that is no command, with the command that was probably meant. */
export function unknownCommand(word: string, commands: readonly Command[]): UsageError {
  const names = commands.map(({ name }) => name);
  const meant = SYNONYMS.get(word.toLowerCase()) ?? nearestName(word, names);
  const offer = meant === null ? "" : ` Did you mean "${meant}"?`;
  return new UsageError(`There is no command "${plain(word)}".${offer} Run "beckon --help" for the list.`);
}
