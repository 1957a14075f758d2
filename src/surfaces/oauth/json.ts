import { Refusal } from "../../platform/errors/errors.ts";
import { isStorable } from "../../platform/text.ts";

/** The JSON object in a body. @throws Refusal invalid_request */
export function parseObject(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes), storable);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown;
  }
  const issues = [{ path: "", message: "a JSON object" }];
  throw new Refusal("invalid_request", "The body must be a JSON object.", { issues });
}

/** Names shown to users, from which invalid characters are removed instead (auth/display-name.ts). */
const CLEANED: ReadonlySet<string> = new Set(["agent_name", "client_name"]);

function storable(name: string, value: unknown): unknown {
  if (typeof value !== "string" || CLEANED.has(name) || isStorable(value)) return value;
  const issues = [{ path: "", message: "U+0000 or an unpaired surrogate" }];
  throw new Refusal("invalid_request", "The body has a string with U+0000 or an unpaired surrogate.", { issues });
}
