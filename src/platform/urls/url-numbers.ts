import { hashUrls } from "./urls.ts";

/** URLs as numbers of 53 bits, by which rows find them. Few URLs share one. */
export function urlNumbers(urls: readonly string[]): number[] {
  return numbersOf(hashUrls(urls));
}

/** @param hashes as `hashUrls` makes them */
export function numbersOf(hashes: Buffer): number[] {
  const count = hashes.length / 8;
  return Array.from({ length: count }, (_, at) => {
    return hashes.readUInt32LE(8 * at) * 2 ** 21 + (hashes.readUInt32LE(8 * at + 4) >>> 11);
  });
}
