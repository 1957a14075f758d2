import type { Repository } from "./git-repository.ts";

/** What the server can do beyond the minimum. A client does without everything else, such as progress. */
const CAPABILITIES = "shallow no-progress symref=HEAD:refs/heads/main object-format=sha1 agent=beckon";

const FLUSH = "0000";

/** The answer to `GET info/refs?service=git-upload-pack` (git-scm.com/docs/http-protocol, the smart protocol, version 0). */
export function advertisement({ head }: Repository): string {
  const lines = [`${head} HEAD\0${CAPABILITIES}\n`, `${head} refs/heads/main\n`];
  return `${packet("# service=git-upload-pack\n")}${FLUSH}${lines.map(packet).join("")}${FLUSH}`;
}

/**
 * The answer to `POST git-upload-pack`. The client gets everything, whatever it has: the repository is small.
 * @returns null if the text is no such request
 */
export function uploadPack({ head, pack }: Repository, request: string): Buffer | null {
  const lines = linesIn(request);
  const wanted = lines?.filter((line) => line.startsWith("want ")).map((line) => line.slice(5, 45));
  if (!lines || !wanted?.length || wanted.some((name) => name !== head)) return null;
  // The only commit has no parents, from which a shallow copy could be cut off.
  const depth = lines.some((line) => line.startsWith("deepen")) ? FLUSH : "";
  const isLast = lines.includes("done");
  if (depth && !isLast && !lines.some((line) => line.startsWith("have "))) return Buffer.from(depth);
  return Buffer.concat([Buffer.from(`${depth}${packet("NAK\n")}`), isLast ? pack : Buffer.alloc(0)]);
}

/** A line with its length before it, in four hexadecimal digits (git-scm.com/docs/protocol-common). */
function packet(line: string): string {
  return `${(Buffer.byteLength(line) + 4).toString(16).padStart(4, "0")}${line}`;
}

/** Null if the lines are not in that form. */
function linesIn(text: string): string[] | null {
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    const digits = text.slice(at, at + 4);
    if (!/^[\da-f]{4}$/i.test(digits)) return null;
    const length = Number.parseInt(digits, 16);
    if (length > 4) lines.push(text.slice(at + 4, at + length).trimEnd());
    at += Math.max(length, 4);
  }
  return lines;
}
