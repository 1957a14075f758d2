import { agentInputSchema, type JsonSchema } from "../src/contract/json-schema.ts";
import { type AnyOperation, isOfferedBy, isOn, scopesOf } from "../src/contract/operation.ts";
import type { Config } from "../src/platform/config/config.ts";
import type { Scope } from "../src/platform/principal.ts";
import { operations } from "../tools/index.ts";

/** A skill as the agent card and the agent's answers describe it. */
export interface AgentSkill {
  /** Name of an operation, or `watch_project`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Lines of text that call it: words, then fields of its input in braces. */
  readonly commands: readonly string[];
  /** A valid input; ids in it are made up. */
  readonly example: Readonly<Record<string, unknown>>;
  /** JSON Schema 2020-12 of `input`. */
  readonly inputSchema: JsonSchema;
  /** The scopes that it needs; none where any credential will do, or none is needed. */
  readonly scopes: readonly Scope[];
  /** The operation that it calls, and whose access holds for it. */
  readonly operation: AnyOperation;
}

/** The one skill that is not an operation. It has the input and the access of get_project. */
export const WATCH_PROJECT = "watch_project";

/** The skills that this deployment offers, in the order of the product. */
export function skillsOf(config: Config): readonly AgentSkill[] {
  return allSkills.filter(({ operation }) => isOfferedBy(operation, config));
}

/** The skill of that id, also one that this deployment does not offer. */
export function skillOf(id: string | null): AgentSkill | undefined {
  return BY_ID.get(id ?? "");
}

export function operationNamed(name: string): AnyOperation {
  return operations.find((operation) => operation.name === name)!;
}

/** Required fields of the skill's input. */
export function requiredFields({ inputSchema }: AgentSkill): readonly string[] {
  return (inputSchema.required ?? []) as string[];
}

function asSkill(operation: AnyOperation): AgentSkill {
  const { name, title, description, skill, example, access } = operation;
  return {
    id: name,
    name: title,
    description,
    tags: skill.tags,
    commands: skill.commands ?? [],
    example,
    inputSchema: agentInputSchema(operation),
    scopes: scopesOf(access),
    operation,
  };
}

const watchProject = asSkill({
  ...operationNamed("get_project"),
  name: WATCH_PROJECT,
  title: "Watch a project",
  description:
    "A task that works as long as its project is active, which may be weeks, and is completed once every URL has its final status. Stream it, or subscribe to it later, to get an update whenever the counts change. Cancelling the task cancels the URLs that were not sent yet and returns their credits.",
  skill: { tags: ["projects", "report", "stream"], commands: ["watch {project_id}"] },
});

/** Every skill, also those that this deployment does not offer. */
export const allSkills: readonly AgentSkill[] = [
  ...operations.filter((operation) => isOn(operation, "a2a")).map(asSkill),
  watchProject,
];

const BY_ID = new Map(allSkills.map((skill) => [skill.id, skill]));
