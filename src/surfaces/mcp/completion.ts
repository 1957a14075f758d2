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

/** The most that the protocol lets a completion answer. */
const MOST = 100;
/** How many of the newest projects are looked through. */
const LOOKED_THROUGH = 200;

/** Whether a `completion/complete` asks for the caller's projects. */
export function asksForProjects(params: Record<string, unknown>): boolean {
  return (params.argument as { name?: unknown } | undefined)?.name === "project_id";
}

/** What an argument of a prompt, or a part of an address, may be, given how it begins. @throws Refusal, ProtocolError */
export async function complete(caller: ToolCaller, params: CompleteRequest["params"]): Promise<CompleteResult> {
  const { name, value } = params.argument;
  const begins = (text: string) => text.toLowerCase().startsWith(value.toLowerCase());
  const words = wordsFor(params);
  if (words) return listed(words.filter(begins));
  if (name !== "project_id") return listed([]);
  const projects = await newestProjects(caller, LOOKED_THROUGH);
  return listed(projects.filter((project) => begins(project.id) || begins(project.name)).map(({ id }) => id));
}

/** The fixed values of the argument, or null where it has none. @throws ProtocolError for what is not there */
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
  return { completion: { values: values.slice(0, MOST), total: values.length, hasMore: values.length > MOST } };
}
