import type { GetReportAnswer } from "../generated/calls.ts";
import type { Link } from "../generated/shapes.ts";

type Group = GetReportAnswer["groups"][number];
export type Finding = Group["status"];

/** What the pages of the service call each finding, for people. Programs read its code. */
export const WORDS: Readonly<Record<Finding, string>> = {
  indexed: "In Google",
  gone: "Gone",
  not_indexed: "Not in Google",
  unknown: "Unknown",
  failed: "Not sent",
  checking: "Checking",
  waiting: "Waiting",
};

/** The word for a finding; its code where the service is newer than this client. @param isCheck whether its project only looks URLs up, and sends none */
export function wordOf(finding: Finding, isCheck: boolean): string {
  return finding === "failed" && isCheck ? "Not looked up" : (WORDS[finding] ?? finding);
}

/** What the evidence says of a link. The report counts findings; a link itself has its status and its last check. */
export function findingOf({ status, error_code, last_check }: Link): Finding {
  if (status === "indexed" && last_check?.result === "not_indexed") return "gone";
  return error_code === "unverifiable" ? "unknown" : status;
}

/** How many URLs have each finding, what is certain first. */
export function countsOf(groups: readonly Group[], isCheck: boolean): Record<string, number> {
  const findings = Object.keys(WORDS) as Finding[];
  const counted = findings.map((finding) => {
    const same = groups.filter(({ status }) => status === finding);
    return [wordOf(finding, isCheck), same.reduce((sum, { count }) => sum + count, 0)] as const;
  });
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}
