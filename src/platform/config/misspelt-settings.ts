import { nearestName } from "../nearest.ts";

/** A variable of the environment that was probably meant as a setting, and is none. */
export interface MisspeltSetting {
  readonly written: string;
  readonly meant: string;
}

/** @param names of all settings */
export function misspeltSettings(env: NodeJS.ProcessEnv, names: readonly string[]): MisspeltSetting[] {
  return Object.keys(env).flatMap((written) => {
    const isSet = (env[written] ?? "").trim() !== "" && !names.includes(written);
    const meant = isSet ? settingMeantBy(written, names) : null;
    return meant === null ? [] : [{ written, meant }];
  });
}

/** Shorter names are near too much that has nothing to do with them, as MAIL and HOST are. */
const LEAST = 5;

function settingMeantBy(written: string, names: readonly string[]): string | null {
  const longer = names.filter((name) => name.length >= LEAST);
  const nearest = nameWithin(written, longer) ?? nearestName(written, longer);
  return nearest !== null && differences(written, nearest) <= letters(nearest).length / 3 ? nearest : null;
}

/** The name of which every word is among those that were written: SERPER_KEY in `SERPER_API_KEY`, to which SERPAPI_KEY is nearer. */
function nameWithin(written: string, names: readonly string[]): string | null {
  const words = new Set(written.toUpperCase().split("_"));
  const within = names.filter((name) => name.includes("_") && name.split("_").every((word) => words.has(word)));
  return within.sort((a, b) => b.length - a.length)[0] ?? null;
}

/** How many letters lie between what is the same at the beginning and at the end: 2 of `SERPER_KYE` and `SERPER_KEY`. */
function differences(a: string, b: string): number {
  const [one, other] = [letters(a), letters(b)];
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return Math.max(one.length, other.length) - start - end;
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[\W_]+/g, "");
}
