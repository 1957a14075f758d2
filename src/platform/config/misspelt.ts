import { nearestName } from "../nearest.ts";
import { SETTINGS } from "./settings.ts";

/** Shorter names are near to many variables of other programs. */
const MIN_LENGTH = 8;
const MOST_SLIPS = 2;

/** A sentence for each variable of the environment that is probably a setting with a slip in its name. */
export function misspelt(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env).flatMap((name) => {
    if (name.length < MIN_LENGTH || name in SETTINGS || !env[name]) return [];
    const near = nearestName(name, Object.keys(SETTINGS), MOST_SLIPS);
    if (near === null || env[near] || Math.abs(near.length - name.length) > MOST_SLIPS) return [];
    return [`There is no setting ${name}. If ${near} is meant, correct its name: it is not set.`];
  });
}
