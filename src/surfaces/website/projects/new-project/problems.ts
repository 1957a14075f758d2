import { Refusal } from "../../../../platform/errors/errors.ts";

/** What is wrong with a draft, and at which field; without one it is said above the form. */
export interface Problem {
  readonly field: "urls" | "sitemap_url" | "name" | "kind" | "holdout_percent" | null;
  readonly text: string;
  readonly status: number;
  /** Lines that would be URLs with https://. */
  readonly offered: number;
  /** Whether buying credits would help. */
  readonly needsCredits: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** The problem that a refused call tells of. @throws anything that is no refusal */
export function problemOf(thrown: unknown): Problem {
  if (!(thrown instanceof Refusal)) throw thrown;
  const { code, status, fields, headers } = thrown;
  const [issue] = (fields as { issues?: readonly { path: string; message: string }[] }).issues ?? [];
  return {
    field: (issue && FIELDS[issue.path.split("[")[0]!]) ?? BY_CODE[code] ?? null,
    text: WORDS[issue?.path ?? ""] ?? thrown.message,
    status,
    offered: 0,
    needsCredits: code === "insufficient_credits" || code === "payment_required",
    headers,
  };
}

const FIELDS: Readonly<Record<string, Problem["field"]>> = {
  urls: "urls",
  name: "name",
  sitemap_url: "sitemap_url",
  holdout_percent: "holdout_percent",
};

/** Problems whose message is written for programs. */
const WORDS: Readonly<Record<string, string>> = {
  urls: "Give at most 10,000 different URLs.",
  name: "A name has at most 120 characters, and no control characters.",
  holdout_percent: "Choose how many pages are held out.",
  sitemap_url: "Give the whole address of the sitemap. It begins with http:// or https://.",
};

const BY_CODE: Readonly<Record<string, Problem["field"]>> = {
  no_valid_urls: "urls",
  too_many_urls: "urls",
  sitemap_unreachable: "sitemap_url",
  sitemap_invalid: "sitemap_url",
  holdout_not_possible: "holdout_percent",
};
