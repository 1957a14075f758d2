import type { Finding } from "../domain/projects/findings.ts";

/** The word for each finding in a project that sends its URLs, on pages and in the view of clients. What is certain comes first, what is open last. */
export const FINDING_LABELS: Readonly<Record<Finding, string>> = {
  indexed: "In Google",
  gone: "Gone",
  not_indexed: "Not in Google",
  unknown: "Unknown",
  failed: "Not sent",
  checking: "Checking",
  waiting: "Waiting",
};
