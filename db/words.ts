/**
 * Words that rows store as numbers: a word's number is its position in its list. A list may only grow at its end, because
 * existing databases hold these numbers.
 */

/** States of a link; also the names of a project's counts. */
export const LINK_STATES = ["waiting", "checking", "indexed", "not_indexed", "failed"] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** A lane is one engine's queue of a project. Google's drives the life of a link; the others never hold it up. */
export const LANES = ["google", "bing", "yandex"] as const;
export type Lane = (typeof LANES)[number];

/** What a step does to its links; `preflight` fetches the pages themselves, before they are sent anywhere. */
export const ACTIONS = ["send", "resend", "check", "preflight"] as const;
export type Action = (typeof ACTIONS)[number];

/**
 * Which check of the schedule a step makes (docs/rules.md rule 5). `check` is the check of a check project; `before_sending` is
 * the check before sending in a project with `skipIndexed`.
 */
export const CHECK_STAGES = ["none", "early", "day_4", "day_14", "check", "before_sending"] as const;
export type CheckStage = (typeof CHECK_STAGES)[number];

/** Status of submitting a link to an engine. `sent`: it is not known whether it was accepted. */
export const DELIVERY_STATUSES = ["sent", "accepted", "skipped", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Result of checking a link. */
export const CHECK_RESULTS = ["indexed", "not_indexed", "unknown"] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

/** Who said something of a page besides whether an engine has it: an engine's webmaster tools, or the page when we fetched it. */
export const FACT_SOURCES = ["url_inspection", "bing_url_info", "preflight"] as const;
export type FactSource = (typeof FACT_SOURCES)[number];

/** Status of delivering an event to a webhook. */
export const WEBHOOK_DELIVERY_STATUSES = ["pending", "succeeded", "failed"] as const;
export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];

/** States of a task, by their numbers in A2A 1.0 section 4.1.3 (a2a.proto, TaskState). */
export const TASK_STATES = [
  "unspecified",
  "submitted",
  "working",
  "completed",
  "failed",
  "canceled",
  "input_required",
  "rejected",
  "auth_required",
] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** @throws Error for a word that is not in the list */
export function numberOf<Word extends string>(words: readonly Word[], word: Word): number {
  const number = words.indexOf(word);
  if (number === -1) throw new Error(`${word} is none of ${words.join(", ")}`);
  return number;
}
