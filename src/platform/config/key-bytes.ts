/** The bytes of a key: 32, in base64 or base64url; null for any other text. */
export function keyBytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  return /^[\w+/-]{43}=?$/.test(text) && bytes.length === 32 ? bytes : null;
}
