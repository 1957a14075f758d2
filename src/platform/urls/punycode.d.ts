/** The package has no types of its own. */
declare module "punycode.js" {
  /** @throws RangeError where it is no punycode (RFC 3492) */
  export function decode(punycode: string): string;
}
