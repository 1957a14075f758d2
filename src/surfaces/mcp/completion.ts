import {
  type CompleteRequest,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { ToolCaller } from "./caller.ts";
import { newestProjects } from "./own-projects.ts";
import { promptOf } from "./prompts.ts";
import { TEMPLATES } from "./resources.ts";

/** Most values that the protocol allows in a completion. */
const MAX_VALUES = 100;
/** How many of the newest projects are searched. */
const PROJECTS_SEARCHED = 200;

/** Whether a `completion/complete` asks for the caller's projects. */
export function asksForProjects(params: Record<string, unknown>): boolean {
  return (params.argument as { name?: unknown } | undefined)?.name === "project_id";
}

/** Values of a prompt's argument, or of a URI template's variable, that begin with a prefix. @throws Refusal, ProtocolError */
export async function complete(caller: ToolCaller, params: CompleteRequest["params"]): Promise<CompleteResult> {
  const { name, value } = params.argument;
  const begins = (text: string) => text.toLowerCase().startsWith(value.toLowerCase());
  const words = wordsFor(params);
  if (words) return listed(words.filter(begins));
  if (name !== "project_id") return listed([]);
  const projects = await newestProjects(caller, PROJECTS_SEARCHED);
  return listed(projects.filter((project) => begins(project.id) || begins(project.name)).map(({ id }) => id));
}

/** The fixed values of the argument, or null where it has none. @throws ProtocolError for an unknown prompt or template */
function wordsFor({ ref, argument }: CompleteRequest["params"]): readonly string[] | null {
  if (ref.type === "ref/resource") {
    if (TEMPLATES.some(({ uriTemplate }) => uriTemplate === ref.uri)) return null;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "There is no such template. See resources/templates/list.",
    );
  }
  const prompt = promptOf(ref.name);
  return prompt.arguments.find((one) => one.name === argument.name)?.values ?? null;
}

function listed(values: readonly string[]): CompleteResult {
  return {
    completion: { values: values.slice(0, MAX_VALUES), total: values.length, hasMore: values.length > MAX_VALUES },
  };
}
