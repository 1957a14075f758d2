import { FAILURE_WORDS, type FailureReason } from "../../../../domain/webhooks/attempt.ts";

/** What a failed attempt was, as a sentence. @param reason as the API says it */
export function failureWords(reason: string): string {
  return FAILURE_WORDS[reason as FailureReason] ?? "It failed.";
}
