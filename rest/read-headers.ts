import type { Admission } from "../src/contract/authenticate.ts";
import { CORS } from "../src/surfaces/http-server/cors.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

const CORS_HEADERS = Object.entries(CORS).flat();

/**
 * Names and values of the headers of the answer to a GET, as one flat list. The headers of the content are not among them.
 * @param tag the entity tag; undefined for an answer that may not be kept
 */
export function readHeaders({ headers }: Admission, tag: string | undefined): string[] {
  const list = [...CORS_HEADERS];
  for (const name in headers) list.push(name, headers[name]!);
  // An answer with a tag may be kept, and is revalidated each time.
  list.push("Cache-Control", tag === undefined ? "no-store" : "private, no-cache", "Vary", "Accept");
  if (tag !== undefined) list.push("ETag", tag);
  return list;
}
