import { COMMON_WORDS } from "./common-passwords.ts";

/** The product's own name, as a password. */
const OUR_NAME = "beckon";

/** Sequences of neighbouring keys. */
const KEYBOARD_RUNS = [
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
  "qazwsxedcrfvtgbyhnujmikolp",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "1q2w3e4r5t6y7u8i9o0p",
  "q1w2e3r4t5y6u7i8o9p0",
];

/** Whether a text repeats one short unit, or runs up or down the alphabet, the digits or a keyboard. */
export function isPattern(text: string): boolean {
  const lower = text.toLowerCase();
  const letters = [...lower];
  const repeats = (unit: number) => letters.every((letter, i) => i < unit || letter === letters[i - unit]);
  const steps = (by: number) => letters.every((letter, i) => i === 0 || letter === stepped(letters[i - 1]!, by));
  const runs = (run: string) => run.includes(lower) || run.includes(letters.toReversed().join(""));
  return [1, 2, 3, 4].some(repeats) || [1, -1].some(steps) || KEYBOARD_RUNS.some(runs);
}

/** Whether a text is a common word with little added. */
export function isCommon(text: string): boolean {
  commonLetters ??= COMMON_WORDS.map(lettersOf);
  return isPadded(text, commonLetters);
}

/** The letters of all common words, made when they are first needed. */
let commonLetters: readonly string[] | null = null;

/** Whether a text is the e-mail address, its local part, or our own name, with little added. */
export function isPersonal(text: string, email: string): boolean {
  return isPadded(text, [email, email.split("@")[0]!, OUR_NAME].map(lettersOf));
}

function stepped(letter: string, by: number): string {
  if (/^\d$/.test(letter)) return String((Number(letter) + by + 10) % 10);
  return String.fromCodePoint(Math.max(0, letter.codePointAt(0)! + by));
}

/**
 * Whether a text is one of these words with at most five characters, or a pattern, added. "P@ssw0rd-2026" is "password" and
 * five characters.
 * @param words their letters
 */
function isPadded(text: string, words: readonly string[]): boolean {
  const letters = lettersOf(text);
  return words.some((word) => {
    const rest = without(text, letters, word);
    return rest !== null && (rest.length <= 5 || isPattern(rest));
  });
}

/** What is left of a text when every occurrence of some letters is removed from it; null when it has none. */
function without(text: string, letters: string, wanted: string): string | null {
  if (wanted === "" || !letters.includes(wanted)) return null;
  let rest = "";
  for (let index = 0; index < letters.length; ) {
    const next = letters.indexOf(wanted, index);
    rest += text.slice(index, next === -1 ? letters.length : next);
    index = next === -1 ? letters.length : next + wanted.length;
  }
  return rest;
}

/** A text in lower case, with digits and signs read as the letters they resemble. It has as many UTF-16 units as the text. */
function lettersOf(text: string): string {
  return Array.from({ length: text.length }, (_, i) => LOOKS_LIKE[text[i]!] ?? lowered(text[i]!)).join("");
}

/** A UTF-16 unit in lower case. A few letters would become two units: they stay as they are. */
function lowered(unit: string): string {
  const lower = unit.toLowerCase();
  const letter = LOOKS_LIKE[lower] ?? lower;
  return letter.length === 1 ? letter : unit;
}

const LOOKS_LIKE: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "!": "i",
  "|": "i",
  l: "i",
  "3": "e",
  "4": "a",
  "@": "a",
  "5": "s",
  $: "s",
  "7": "t",
};
