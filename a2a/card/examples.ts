import type { AgentSkill } from "../skills.ts";

/** Messages that call a skill: its lines of text, filled in, and the data part that does the same, as JSON. */
export function examplesOf({ id, commands, example }: AgentSkill): string[] {
  return [...commands.map((line) => filled(line, example)), JSON.stringify({ skill: id, input: example })];
}

/** A line of text with an input's fields in their places; a list takes its words to the end of the line. */
function filled(line: string, input: Readonly<Record<string, unknown>>): string {
  return line.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = input[field];
    return Array.isArray(value) ? value.join(" ") : String(value);
  });
}
