import { Refusal } from "../../platform/errors/errors.ts";
import type { JsonReader } from "../../platform/json/json-reader.ts";
import { isStorable } from "../../platform/text.ts";

/** The JSON object in a body. @throws Refusal invalid_request */
export function parseObject(document: JsonReader): Readonly<Record<string, unknown>> {
  const value = parsed(document);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    for (const [name, field] of Object.entries(value)) if (!CLEANED.has(name)) refuseUnlessStorable(field);
    return value as Record<string, unknown>;
  }
  const issues = [{ path: "", message: "a JSON object" }];
  throw new Refusal("invalid_request", "The body must be a JSON object.", { issues });
}

/** Names shown to users, from which invalid characters are removed instead (auth/display-name.ts). */
const CLEANED: ReadonlySet<string> = new Set(["agent_name", "client_name"]);

/** Null for what is not JSON in UTF-8. */
function parsed(document: JsonReader): unknown {
  try {
    return document.end();
  } catch {
    return null;
  }
}

/** @throws Refusal invalid_request, when a string in the value cannot be stored */
function refuseUnlessStorable(value: unknown): void {
  if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) refuseUnlessStorable(inner);
  if (typeof value !== "string" || isStorable(value)) return;
  const issues = [{ path: "", message: "U+0000 or an unpaired surrogate" }];
  throw new Refusal("invalid_request", "The body has a string with U+0000 or an unpaired surrogate.", { issues });
}
