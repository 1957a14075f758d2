import { type Fate, isIndexed } from "../../../src/indexing/engines/sandbox/fate.ts";

/** A sandbox URL of that fate, whose variant `fits`: it is given what Google answers `elapsed` ms after sending. */
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
