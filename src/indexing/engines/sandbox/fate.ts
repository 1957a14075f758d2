import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { DAY, HOUR, MINUTE } from "../../../platform/clock.ts";

/**
 * What happens to a URL in the sandbox. A query parameter chooses the fate
 * (`https://example.com/page?sandbox=never`). Without one, a hash of the URL does.
 */
export const FATES = {
  hour: { share: 30, about: "Google has it 5, 20 or 40 minutes after sending" },
  day_4: { share: 25, about: "Google has it after 6 to 72 hours" },
  day_14: { share: 20, about: "Google has it after 6 to 12 days" },
  never: { share: 12, about: "Google never has it" },
  rejected: { share: 3, about: "the provider refuses it when it is sent" },
  late_answer: {
    share: 5,
    about: `no reliable answer until half a day after day ${CHECK_DAYS.final}; then every second page is indexed`,
  },
  silent: { share: 1, about: "never a reliable answer" },
  dropped: { share: 3, about: "Google has it after a day and drops it on day 9" },
  withdrawn: { share: 1, about: "as dropped, because the page itself says noindex" },
} as const;

export type Fate = keyof typeof FATES;

const NAMES = Object.keys(FATES) as Fate[];

export function fateOf(url: string): Fate {
  const chosen = /[?&]sandbox=([a-z0-9_]+)/.exec(url)?.[1];
  if (chosen && (NAMES as string[]).includes(chosen)) return chosen as Fate;
  let rest = hash(url) % 100;
  for (const name of NAMES) {
    rest -= FATES[name].share;
    if (rest < 0) return name;
  }
  return "never";
}

/**
 * Whether Google has the URL `elapsed` ms after it was sent. Null if there is no reliable answer. The times are far
 * from the times of the scheduled checks, so that a check some hours late has the same result.
 */
export function isIndexed(url: string, elapsed: number): boolean | null {
  const variant = hash(`${url} `);
  switch (fateOf(url)) {
    case "hour":
      return elapsed >= [5, 20, 40][variant % 3]! * MINUTE;
    case "day_4":
      return elapsed >= (6 + (variant % 67)) * HOUR;
    case "day_14":
      return elapsed >= 6 * DAY + (variant % 145) * HOUR;
    case "late_answer":
      return elapsed < (CHECK_DAYS.final + 0.5) * DAY ? null : variant % 2 === 0;
    case "silent":
      return null;
    case "dropped":
    case "withdrawn":
      return elapsed >= DAY && elapsed < 9 * DAY;
    default:
      return false;
  }
}

/** FNV-1a, 32 bits (draft-eastlake-fnv). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}
