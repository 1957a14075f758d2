/** The list, which is loaded when a password is first set, because it is large. */
let loading: Promise<ReadonlySet<string>> | undefined;

/** The commonest passwords of published leaks, in lower case (zxcvbn-ts). */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => new Set(dictionary["passwords-common"]));
  return loading;
}

/**
 * Whether a text is on the list, as it is, with its digits and signs read as letters, or without up to five digits and signs
 * around it: guessers try all of these (NIST SP 800-63B section 3.1.1.2).
 */
export function isListed(text: string, list: ReadonlySet<string>): boolean {
  const lower = text.toLowerCase();
  const bare = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const isNearlyBare = bare.length >= 4 && lower.length - bare.length <= 5;
  const texts = isNearlyBare ? [lower, bare] : [lower];
  return texts.some((one) => list.has(one) || list.has(withLetters(one)));
}

/** Digits and signs that stand for a letter, as that letter. */
function withLetters(text: string): string {
  return text.replace(/[013457@$!]/g, (sign) => LETTERS[sign]!);
}

const LETTERS: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};
