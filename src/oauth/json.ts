import { Refusal } from "../errors.ts";

/** The JSON object in a body. @throws Refusal invalid_request */
export function parseObject(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  const issues = [{ path: "", message: "a JSON object" }];
  throw new Refusal("invalid_request", "The body must be a JSON object.", { issues });
}
