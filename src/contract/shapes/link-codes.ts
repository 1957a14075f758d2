import { CHECK_REASONS, ENGINE_DETAILS, NOTICE_DETAILS } from "../../domain/projects/evidence-codes.ts";
import { LINK_ERRORS, NOT_INDEXED_REASONS } from "../../domain/projects/reasons.ts";
import { PAGE_WARNINGS } from "../../indexing/preflight/warnings.ts";

/** The codes that one field of a link may have. More may be added. */
export interface LinkCodes {
  readonly title: string;
  readonly field: string;
  /** One sentence. */
  readonly about: string;
  /** Words for each code, without a full stop. */
  readonly codes: Readonly<Record<string, string>>;
}

/** Every field of a link, and of a notice about one, that holds codes, with their meanings. */
export const LINK_CODES = {
  failed: {
    title: "Links that failed",
    field: "error_code",
    about: "Why a link is `failed`.",
    codes: withoutStops(LINK_ERRORS),
  },
  notIndexed: {
    title: "Links that are not indexed",
    field: "error_code",
    about: "Why a link is `not_indexed`, by the last check.",
    codes: { ...NOT_INDEXED_REASONS, unverifiable: withoutStop(LINK_ERRORS.unverifiable) },
  },
  warnings: {
    title: "Warnings about a page",
    field: "warnings",
    about: "What we noticed on the page. It was submitted all the same.",
    codes: withoutStops(PAGE_WARNINGS),
  },
  details: {
    title: "Details of engines",
    field: "engines.*.detail",
    about:
      "What the provider of an engine answered, or why the link was not submitted to it; for a link that failed before, its `error_code`.",
    codes: ENGINE_DETAILS,
  },
  reasons: {
    title: "Reasons of checks",
    field: "checks[].reason",
    about: "Why a check had its result.",
    codes: withoutKey(CHECK_REASONS, "dropped"),
  },
  notices: {
    title: "Details of notices",
    field: "receipts[].engines.*.detail",
    about: "What became of a URL that `notify_urls` was to tell an engine of.",
    codes: NOTICE_DETAILS,
  },
} as const satisfies Readonly<Record<string, LinkCodes>>;

function withoutStops(sentences: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(sentences).map(([code, sentence]) => [code, withoutStop(sentence)]));
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}

function withoutKey(codes: Readonly<Record<string, string>>, key: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(codes).filter(([code]) => code !== key));
}
