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

function inputOf(fields: readonly Field[], words: readonly string[]): Json | null {
  const [first] = fields;
  if (first?.isList) {
    if (words.length === 0) return {};
    const addresses = addressesIn(words);
    return addresses && { [first.name]: addresses };
  }
  if (words.length > fields.length) return null;
  return Object.fromEntries(words.map((word, position) => [fields[position]!.name, word]));
}

/** URLs separated by blanks, or by a comma before the next URL. Null where there is anything else among them. */
function addressesIn(words: readonly string[]): string[] | null {
  const addresses = words
    .flatMap((word) => word.split(/,(?=<?https?:\/\/)/i))
    .map(stripped)
    .filter((word) => word !== "");
  return addresses.length > 0 && addresses.every((word) => /^https?:\/\/./i.test(word)) ? addresses : null;
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
