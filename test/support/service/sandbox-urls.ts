import { type Fate, isIndexed } from "../../../src/indexing/engines/sandbox/fate.ts";

/**
 * Finds a sandbox URL with a fate, in a variant that a test needs.
 * @param fits gets a function from the ms since sending to what Google answers then
 */
export function urlOf(
  fate: Fate,
  name: string,
  fits: (isThere: (elapsed: number) => boolean | null) => boolean = () => true,
): string {
  for (let i = 0; i < 1_000; i++) {
    const url = `https://example.com/${name}/${i}?sandbox=${fate}`;
    if (fits((elapsed) => isIndexed(url, elapsed))) return url;
  }
  throw new Error(`no URL of fate ${fate} fits`);
}
