import { Refusal } from "../../../platform/errors/errors.ts";

/** What to tell somebody who has to wait before they try again. */
export interface RetryLater {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** @throws what was thrown, if waiting does not help */
export function retryLater(thrown: unknown): RetryLater {
  if (!(thrown instanceof Refusal) || !(thrown.code === "rate_limited" || thrown.code === "unavailable")) throw thrown;
  const { status, headers, code } = thrown;
  const why = code === "rate_limited" ? "Too many attempts." : "Too many sign-ins right now.";
  return { status, headers, text: `${why} Try again in ${durationText(Number(headers["Retry-After"] ?? 5))}.` };
}

export function durationText(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
