import type { AgentSkill } from "../skills.ts";
import type { Json } from "../wire.ts";

/** What a line of text asks for. Fields that it leaves out are asked for later. */
export interface Command {
  readonly skill: AgentSkill;
  readonly input: Json;
}

/**
 * Reads a whole text as one command of the skills: its words first, then its fields. Nothing is made of a text that
 * says anything beside that, so that no address in a sentence is ever taken for an order.
 * @returns null where it is none
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

/** Those with the most words first: `submit sitemap …` before `submit …`. */
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

/** Addresses parted by blanks, or by commas that another address follows. Null where anything else stands among them. */
function addressesIn(words: readonly string[]): string[] | null {
  const addresses = words
    .flatMap((word) => word.split(/,(?=<?https?:\/\/)/i))
    .map(bare)
    .filter((word) => word !== "");
  return addresses.length > 0 && addresses.every((word) => /^https?:\/\/./i.test(word)) ? addresses : null;
}

/**
 * Without the commas around it, and the brackets that Markdown puts around an address. Character by character: a pattern
 * for the commas at the end looks at every run of commas again and again.
 */
function bare(word: string): string {
  let from = 0;
  let to = word.length;
  while (word[from] === ",") from++;
  while (to > from && word[to - 1] === ",") to--;
  return word[from] === "<" && word[to - 1] === ">" ? word.slice(from + 1, to - 1) : word.slice(from, to);
}
