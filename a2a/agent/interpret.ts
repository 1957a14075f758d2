import { JSON_BOUNDS } from "../../src/platform/body-limits.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import { parseJsonText } from "../../src/platform/json/json-reader.ts";
import type { AgentSkill } from "../skills.ts";
import type { Json, Message, Part } from "../wire.ts";
import { asksForHelp, commandIn } from "./grammar.ts";

/** What a message asks for. `input` has no skill: it continues what was asked before. */
export type Intent =
  | { readonly kind: "help" }
  | { readonly kind: "call"; readonly skill: AgentSkill; readonly input: Json }
  | { readonly kind: "input"; readonly input: Json }
  | { readonly kind: "unclear"; readonly problem: string }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/**
 * Reads a message without guessing. It is a call as a data part {skill, input}, as a skill in the metadata with its input
 * in a part, as text that is JSON of the same, or as a command. Anything else is unclear, and nothing is done.
 */
export function interpret({ parts, metadata = {} }: Message, skills: readonly AgentSkill[]): Intent {
  if (parts.some((part) => part.raw !== undefined || part.url !== undefined)) {
    return refused("parts", "files and URLs of files are not accepted: send text or data");
  }
  const data = parts.flatMap((part) => (part.data === undefined ? [] : [part.data]));
  const text = textOf(parts);
  const objects = data.length > 0 ? data : jsonIn(text);
  if (objects.length > 1) return refused("parts", "more than one data part: send one message for each call");
  const named = metadata.skill ?? metadata.skillId ?? undefined;
  if (objects.length === 1) return intentOf(objects[0], named, skills);
  if (named !== undefined) {
    return text.trim() === ""
      ? callOf(named, {}, skills)
      : unclear("The metadata names a skill, but the text is not JSON.");
  }
  if (asksForHelp(text)) return { kind: "help" };
  const command = commandIn(text, skills);
  return command ? { kind: "call", ...command } : unclear("The message does not call a skill.");
}

function intentOf(object: unknown, named: unknown, skills: readonly AgentSkill[]): Intent {
  if (!isObject(object)) return refused("parts", "a data part must be an object");
  const { skill, input } = object;
  if (skill === undefined || skill === null)
    return named === undefined ? { kind: "input", input: object } : callOf(named, object, skills);
  if (named !== undefined && named !== skill) {
    return refused("metadata", "names a different skill than the data part");
  }
  return callOf(skill, input ?? {}, skills);
}

function callOf(id: unknown, input: unknown, skills: readonly AgentSkill[]): Intent {
  const skill = skills.find((one) => one.id === id);
  if (!skill) return unclear("There is no skill with that name.");
  return isObject(input) ? { kind: "call", skill, input } : refused("input", "must be an object");
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.text === undefined ? [] : [part.text])).join("\n");
}

/** The JSON object that a text is, if it is one. */
function jsonIn(text: string): Json[] {
  const bare = unfenced(text.trim());
  if (!bare.startsWith("{")) return [];
  try {
    return [parseJsonText(bare, JSON_BOUNDS) as Json];
  } catch {
    return [];
  }
}

/** The text without the Markdown code fence in which models write JSON. */
function unfenced(text: string): string {
  if (!text.startsWith("```") || !text.endsWith("```")) return text;
  const first = text.indexOf("\n");
  return first === -1 ? text : text.slice(first, -3).trim();
}

function unclear(problem: string): Intent {
  return { kind: "unclear", problem };
}

function refused(path: string, message: string): Intent {
  const issues = [{ path, message }];
  return {
    kind: "refused",
    refusal: new Refusal("invalid_request", `\`${path}\`: ${message}. Nothing was changed.`, { issues }),
  };
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
