import { hash } from "node:crypto";
import { type AnyOperation, isPlainRead } from "../src/contract/operation.ts";
import { version } from "../src/platform/version.ts";

/** Whether the answers of an operation have an entity tag: it is a GET that changes, remembers and counts nothing. */
export function isTagged(operation: AnyOperation): boolean {
  const { method, status = 200 } = operation.rest;
  return method === "GET" && status === 200 && isPlainRead(operation) && !operation.countsRequests;
}

/** The weak entity tag of an answer (RFC 9110 section 8.8.3). It changes with the program too, which decides what answers look like. */
export function tagOf(text: string): string {
  return `W/"${version}-${hash("sha1", text, "base64url")}"`;
}

/**
 * Whether an If-None-Match says that the client has the answer with this tag. Tags are compared weakly (RFC 9110 sections
 * 8.8.3.2 and 13.1.2).
 * @param header `*`, or entity tags separated by commas
 */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const known: readonly string[] = header.match(/\*|"[^"]*"/g) ?? [];
  return known.includes("*") || known.includes(tag.replace(/^W\//, ""));
}
