import { describe, expect, test } from "vitest";
import { CHECK_REASONS } from "../../../../src/domain/projects/evidence-codes.ts";
import {
  causeOf,
  LINK_ERRORS,
  NOT_INDEXED_REASONS,
  notIndexedReason,
  returnReason,
} from "../../../../src/domain/projects/reasons.ts";

describe("why a link failed or is not indexed", () => {
  test("a link that was decided before reasons were stored with it has its reason from the last check", () => {
    const checks = [
      { result: "not_indexed" as const, reason: "discovered_not_indexed" },
      { result: "not_indexed" as const, reason: "crawled_not_indexed" },
    ];
    expect(causeOf({ state: "not_indexed", error: null }, checks)).toEqual({
      code: "crawled_not_indexed",
      message: "Google has crawled the page and chose not to index it.",
    });
    expect(causeOf({ state: "not_indexed", error: null }, [])).toMatchObject({ code: "no_match" });
  });

  test("law: a code says one thing of the page, whether it is a reason of a link or of a check", () => {
    expect(CHECK_REASONS).toMatchObject(NOT_INDEXED_REASONS);
  });

  test("a link that is neither has no cause", () => {
    for (const state of ["waiting", "checking", "indexed"] as const)
      expect(causeOf({ state, error: null }, [{ result: "not_indexed", reason: "noindex" }])).toBeNull();
  });

  test("the same code is worded differently for a page that was not sent and for a page that Google does not have", () => {
    expect(causeOf({ state: "failed", error: "noindex" }, [])?.message).toBe(
      "The page asks search engines not to index it (noindex, or unavailable_after a date that has passed).",
    );
    expect(causeOf({ state: "not_indexed", error: "noindex" }, [])?.message).toBe("Your page says noindex.");
    expect(returnReason("failed", "noindex")).not.toBe(returnReason("not_indexed", "noindex"));
  });

  test("every code has a sentence and a line of the ledger", () => {
    const causes = [
      ...Object.keys(LINK_ERRORS).map((error) => ["failed", error] as const),
      ...["unverifiable", ...Object.keys(NOT_INDEXED_REASONS)].map((error) => ["not_indexed", error] as const),
    ];
    const lines = causes.map(([state, error]) => returnReason(state, error));
    expect(new Set(lines.map((line, i) => `${causes[i]![0]} ${line}`)).size).toBe(causes.length);
    for (const [state, error] of causes) {
      const { code, message } = causeOf({ state, error }, [])!;
      expect([code, message]).toEqual([error, expect.stringMatching(/^[A-Z].*\.$/)]);
      expect(message, error).not.toBe("No reason is recorded.");
    }
  });

  test("a page that was indexed has been dropped, unless the check says why", () => {
    expect(notIndexedReason("indexed", "no_match")).toBe("dropped");
    expect(notIndexedReason("indexed", "noindex")).toBe("noindex");
    expect(notIndexedReason("checking", undefined)).toBe("no_match");
    expect(notIndexedReason("checking", "constructor")).toBe("no_match");
  });
});
