import { type AnyOperation, isPlainRead } from "../src/contract/operation.ts";

/** Whether the answers of an operation have an entity tag: those of a GET that changes, remembers and counts nothing. */
export function isTagged(operation: AnyOperation): boolean {
  const { method, status = 200 } = operation.rest;
  return method === "GET" && status === 200 && isPlainRead(operation) && !operation.beforeRequestCount;
}

/**
 * A test of whether the client has a representation already, by its If-None-Match. Tags are compared weakly (RFC 9110
 * sections 8.8.3.2 and 13.1.2).
 * @param header `*`, or entity tags separated by commas
 */
export function tagTest(header?: string): (tag: string) => boolean {
  if (header === undefined) return () => false;
  const known: readonly string[] = header.match(/\*|"[^"]*"/g) ?? [];
  return (tag) => known.includes("*") || known.includes(tag.replace(/^W\//, ""));
}
