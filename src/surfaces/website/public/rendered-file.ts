import { createHash } from "node:crypto";
import type { Response } from "express";

/** A public file that is made once, with its headers. */
export interface RenderedFile {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The ETag is weak: it stays the same however the response is compressed (RFC 9110 section 8.8.3.3). */
export function withETag(text: string, headers: Readonly<Record<string, string>>): RenderedFile {
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 27);
  // A Buffer, because Express adds headers of its own to a string.
  return { body: Buffer.from(text), headers: { ...headers, ETag: `W/"${hash}"` } };
}

/** Makes something on its first use: making all pages of the docs at once would delay the start. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export function send(res: Response, { body, headers }: RenderedFile): void {
  res.set(headers).send(body);
}
