import type { AgentSkill } from "../skills.ts";
import type { Json } from "../wire.ts";

/** A call in one line of text. Required fields that it leaves out are asked for later. */
export interface Command {
  readonly skill: AgentSkill;
  readonly input: Json;
}

/**
 * Reads a whole text as one command of the skills: its words, then its fields. A text that says anything else is no
 * command, so that an address in a sentence never starts a call.
 * @returns null where the text is no command
 */
export function commandIn(text: string, skills: readonly AgentSkill[]): Command | null {
  const words = text.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return null;
  for (const { skill, literals, fields } of patternsOf(skills)) {
    if (!literals.every((literal, position) => words[position]?.toLowerCase() === literal)) continue;
    const input = inputOf(fields, words.slice(literals.length));
    if (input) return { skill, input };
  }
  return null;
}

/** Whether a text is the word `help`. */
export function asksForHelp(text: string): boolean {
  return /^\s*help\s*$/i.test(text);
}

interface Pattern {
  readonly skill: AgentSkill;
  readonly literals: readonly string[];
  readonly fields: readonly Field[];
}

interface Field {
  readonly name: string;
  readonly isList: boolean;
}

/** Patterns with more words come first: `submit sitemap …` before `submit …`. */
function patternsOf(skills: readonly AgentSkill[]): Pattern[] {
  return skills
    .flatMap((skill) => skill.commands.map((line) => patternOf(skill, line)))
    .sort((a, b) => b.literals.length - a.literals.length);
}

function patternOf(skill: AgentSkill, line: string): Pattern {
  const words = line.split(" ");
  const properties = skill.inputSchema.properties as Record<string, { type?: unknown }>;
  const names = words.filter((word) => word.startsWith("{")).map((word) => word.slice(1, -1));
  return {
    skill,
    literals: words.slice(0, words.length - names.length),
    fields: names.map((name) => ({ name, isList: properties[name]!.type === "array" })),
  };
}

/** Null where there are more words than fields. A list takes the addresses at the end, and nothing but addresses. */
function inputOf(fields: readonly Field[], words: readonly string[]): Json | null {
  const list = fields.find(({ isList }) => isList);
  const parts = list ? entriesIn(words) : words;
  const start = list ? parts.findIndex(isAddress) : -1;
  const [single, addresses] = start === -1 ? [parts, []] : [parts.slice(0, start), parts.slice(start)];
  if (single.length > fields.length - (list ? 1 : 0) || !addresses.every(isAddress)) return null;
  const input = Object.fromEntries(single.map((word, position) => [fields[position]!.name, word]));
  return list && addresses.length > 0 ? { ...input, [list.name]: addresses } : input;
}

/** Words separated by blanks, or by a comma before a URL. */
function entriesIn(words: readonly string[]): string[] {
  return words
    .flatMap((word) => word.split(/,(?=<?https?:\/\/)/i))
    .map(stripped)
    .filter((word) => word !== "");
}

function isAddress(word: string): boolean {
  return /^https?:\/\/./i.test(word);
}

/**
 * The word without commas around it, and without the angle brackets of Markdown. Character by character, since a regular
 * expression for the commas at the end needs quadratic time for a run of commas.
 */
function stripped(word: string): string {
  let from = 0;
  let to = word.length;
  while (word[from] === ",") from++;
  while (to > from && word[to - 1] === ",") to--;
  return word[from] === "<" && word[to - 1] === ">" ? word.slice(from + 1, to - 1) : word.slice(from, to);
}
