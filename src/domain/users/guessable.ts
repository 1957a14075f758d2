import { COMMON_WORDS } from "./common-passwords.ts";

/** The product's own name, as a password. */
const OUR_NAME = "beckon";

/** What a hand runs along on a keyboard. */
const RUNS = [
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
  "qazwsxedcrfvtgbyhnujmikolp",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "1q2w3e4r5t6y7u8i9o0p",
  "q1w2e3r4t5y6u7i8o9p0",
];

/** Whether a text is one short piece over and over, or runs up or down the alphabet, the digits or a keyboard. */
export function isPattern(text: string): boolean {
  const lower = text.toLowerCase();
  const letters = [...lower];
  const repeats = (unit: number) => letters.every((letter, i) => i < unit || letter === letters[i - unit]);
  const steps = (by: number) => letters.every((letter, i) => i === 0 || letter === stepped(letters[i - 1]!, by));
  const runs = (run: string) => run.includes(lower) || run.includes(letters.toReversed().join(""));
  return [1, 2, 3, 4].some(repeats) || [1, -1].some(steps) || RUNS.some(runs);
}

/** Whether it is a word that everybody thinks of, with little around it. */
export function isCommon(text: string): boolean {
  return COMMON_WORDS.some((word) => isPadded(text, word));
}

/** Whether it is the address, its local part, or our own name, with little around it. */
export function isPersonal(text: string, email: string): boolean {
  return [email, email.split("@")[0]!, OUR_NAME].some((word) => isPadded(text, word));
}

function stepped(letter: string, by: number): string {
  if (/^\d$/.test(letter)) return String((Number(letter) + by + 10) % 10);
  return String.fromCodePoint(Math.max(0, letter.codePointAt(0)! + by));
}

/** "P@ssw0rd-2026" is "password" and five characters that a guesser adds by rule. */
function isPadded(text: string, word: string): boolean {
  const rest = without(text, word);
  return rest !== null && (rest.length <= 5 || isPattern(rest));
}

/** What is left when a word is taken out wherever it stands; null where it does not stand at all. */
function without(text: string, word: string): string | null {
  const [letters, wanted] = [lettersOf(text), lettersOf(word)];
  if (wanted === "" || !letters.includes(wanted)) return null;
  let rest = "";
  for (let at = 0; at < letters.length; ) {
    const next = letters.indexOf(wanted, at);
    rest += text.slice(at, next === -1 ? letters.length : next);
    at = next === -1 ? letters.length : next + wanted.length;
  }
  return rest;
}

/** In lower case, with digits and signs read as the letters they stand for. As long as the text, unit for unit. */
function lettersOf(text: string): string {
  return Array.from({ length: text.length }, (_, i) => LOOKS_LIKE[text[i]!] ?? lowered(text[i]!)).join("");
}

/** A few letters become two in lower case. */
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
