import { isAscii } from "node:buffer";

/** The text in UTF-8 that bytes are. @throws TypeError when they are not */
export function textOf(bytes: Uint8Array): string {
  // Most documents are ASCII; making a decoder takes longer than parsing them.
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
