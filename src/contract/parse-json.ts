import { isAscii } from "node:buffer";
import { Refusal } from "../platform/errors/errors.ts";

/** Parses JSON in UTF-8; an empty body is an empty object. @throws Refusal invalid_request */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    // Nearly all lists of URLs are ASCII, which needs no decoding.
    return JSON.parse(isAscii(body) ? body.toString("latin1") : new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new Refusal("invalid_request", "The body is not JSON in UTF-8. Nothing was changed.", {
      issues: [{ path: "", message: "not JSON in UTF-8" }],
    });
  }
}
