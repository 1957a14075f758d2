import { hash } from "node:crypto";
import { version } from "../platform/version.ts";

/**
 * A weak entity tag (RFC 9110 section 8.8.3) for an answer. It changes with the program too, which decides what answers look
 * like.
 * @param content the answer, or a word that changes whenever it does
 */
export function tagOf(content: string): string {
  return `W/"${hash("sha1", `${version} ${content}`, "base64url")}"`;
}
