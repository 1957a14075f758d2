import { displayName } from "../../platform/display-name.ts";
import { Refusal } from "../../platform/errors/errors.ts";

/** Most code points of an agent's name. */
const MAX_NAME = 80;

type Json = Readonly<Record<string, unknown>>;

/** A string member. @returns undefined when it is absent or null @throws Refusal invalid_request */
export function textIn(json: Json, name: string): string | undefined {
  const value = Object.hasOwn(json, name) ? json[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw invalid(name, "must be a string");
  return value;
}

/** The name that an agent gives itself; "Agent" without one. @throws Refusal invalid_request */
export function agentNameIn(json: Json): string {
  const name = displayName(textIn(json, "agent_name") ?? "", MAX_NAME);
  if (name === null) throw invalid("agent_name", `must have at most ${MAX_NAME} characters`);
  return name === "" ? "Agent" : name;
}

export function invalid(path: string, message: string): Refusal {
  return new Refusal("invalid_request", `\`${path}\` ${message}.`, { issues: [{ path, message }] });
}
