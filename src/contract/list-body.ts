import { isUtf8 } from "node:buffer";
import { scanUrls } from "../platform/urls/list-scanner.ts";
import type { AnyOperation } from "./operation.ts";
import { urlList } from "./params.ts";

/** Most bytes of a body without its list: the other fields of a submission are short. */
const OTHER_FIELDS = 4_096;

/**
 * Parses the body of a submission without making a string for each URL. It reads what most programs write: a list whose
 * other fields are short and have no escapes.
 * @returns the input, with `urls` as ScannedUrls; null for any other body, which is then parsed as JSON
 */
export function parseListBody({ input }: AnyOperation, body: Buffer): object | null {
  if (input.shape.urls !== urlList || !isUtf8(body)) return null;
  const key = body.indexOf('"urls"');
  const bracket = key === -1 || key > OTHER_FIELDS ? -1 : body.indexOf("[", key);
  if (bracket === -1 || !/^"urls"\s*:\s*$/.test(body.toString("latin1", key, bracket))) return null;
  const scanned = scanUrls(body, bracket + 1);
  if (scanned === null || body.length - scanned.end > OTHER_FIELDS) return null;
  const before = body.toString("utf8", 0, bracket);
  const after = body.toString("utf8", scanned.end);
  // Without escapes, the bytes "urls" with both quotation marks are a text of their own, and no part of another.
  if (before.includes("\\") || after.includes("\\") || after.includes('"urls"')) return null;
  try {
    const rest = JSON.parse(`${before}[]${after}`) as { urls?: unknown };
    // The list may belong to a nested object.
    if (!Array.isArray(rest.urls)) return null;
    rest.urls = scanned.urls;
    return rest;
  } catch {
    return null;
  }
}
