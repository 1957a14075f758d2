import type { AgentSkill } from "../skills.ts";

/** Messages that call a skill: its commands with the fields of its example, and the same as a data part in JSON. */
export function examplesOf({ id, commands, example }: AgentSkill): string[] {
  return [...commands.map((line) => filled(line, example)), JSON.stringify({ skill: id, input: example })];
}

/** A command with its braces filled from an input; a list fills the rest of the line. */
export function filled(line: string, input: Readonly<Record<string, unknown>>): string {
  return line.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = input[field];
    return Array.isArray(value) ? value.join(" ") : String(value);
  });
}
