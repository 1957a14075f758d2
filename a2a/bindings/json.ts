import type { JsonReader } from "../../src/platform/json/json-reader.ts";
import { Fault } from "./errors.ts";

/** What a body holds. @throws Fault PARSE_ERROR, INVALID_REQUEST (nothing at all) */
export function jsonOf(document: JsonReader): unknown {
  if (document.bytes === 0) throw new Fault("INVALID_REQUEST", "There is no body. Send a JSON object.");
  try {
    return document.end();
  } catch {
    throw new Fault("PARSE_ERROR", "The body is not JSON in UTF-8. Nothing was changed.");
  }
}
