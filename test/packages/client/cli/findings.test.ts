import { expect, test } from "vitest";
import { countsOf, findingOf, WORDS, wordOf } from "../../../../packages/client/src/cli/findings.ts";
import type { GetReportAnswer } from "../../../../packages/client/src/generated/calls.ts";
import type { Link } from "../../../../packages/client/src/generated/shapes.ts";
import { FINDING_LABELS } from "../../../../src/contract/finding-labels.ts";
import { findingOf as findingOnPages } from "../../../../src/domain/projects/findings.ts";
import { wordOf as wordOnPages } from "../../../../src/surfaces/website/projects/link-states.ts";

test("law: the command line calls each finding what the pages call it", () => {
  expect(Object.entries(WORDS)).toEqual(Object.entries(FINDING_LABELS));
  for (const finding of Object.keys(FINDING_LABELS) as (keyof typeof FINDING_LABELS)[])
    for (const kind of ["index", "check"] as const)
      expect(wordOf(finding, kind === "check")).toBe(wordOnPages(finding, kind));
});

test.each([
  ["waiting", null, null],
  ["checking", null, "not_indexed"],
  ["indexed", null, "indexed"],
  ["indexed", null, "unknown"],
  ["indexed", null, "not_indexed"],
  ["not_indexed", "dropped", "not_indexed"],
  ["not_indexed", "unverifiable", "unknown"],
  ["failed", "unverifiable", null],
  ["failed", "already_indexed", "indexed"],
] as const)(
  "law: a link that is %s, with %s, last found %s, is what the pages say it is",
  (status, error_code, result) => {
    const link = { status, error_code, last_check: result && { result } } as Link;
    expect(findingOf(link)).toBe(findingOnPages({ state: status, error: error_code }, result));
  },
);

test("groups of a report with the same finding are one count, what is certain first; a finding without URLs is left out", () => {
  const group = (status: string, count: number) => ({ status, count }) as GetReportAnswer["groups"][number];
  const groups = [group("failed", 1), group("not_indexed", 2), group("indexed", 4), group("not_indexed", 3)];
  expect(Object.entries(countsOf(groups, false))).toEqual([
    ["In Google", 4],
    ["Not in Google", 5],
    ["Not sent", 1],
  ]);
  expect(countsOf([group("failed", 1)], true)).toEqual({ "Not looked up": 1 });
});
