import { Refusal } from "../../../platform/errors/errors.ts";

/** The answer to a user who has to wait before trying again. */
export interface RetryLater {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The answer for an error that waiting helps against. @throws any other error */
export function retryLater(thrown: unknown): RetryLater {
  if (!(thrown instanceof Refusal) || !(thrown.code === "rate_limited" || thrown.code === "unavailable")) throw thrown;
  const { status, headers, code } = thrown;
  const why = code === "rate_limited" ? "Too many attempts." : "Too many sign-ins right now.";
  return { status, headers, text: `${why} Try again in ${durationText(Number(headers["Retry-After"] ?? 5))}.` };
}

export function durationText(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
