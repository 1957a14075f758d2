/** The package has no types of its own. */
declare module "punycode.js" {
  const punycode: {
    /** @throws RangeError where it is no punycode (RFC 3492) */
    decode(label: string): string;
  };
  export default punycode;
}
