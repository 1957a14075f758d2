import { ERRORS } from "../../platform/errors/errors.ts";
import { OAUTH_ERRORS } from "../../platform/errors/oauth-errors.ts";
import type { Document } from "./document.ts";
import { page, table } from "./markdown.ts";

interface Entry {
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  readonly remedy: string;
}

/** The reference that every refusal's `docs` leads to, made of the tables of errors, and a page of each code. */
export function errorDocuments(): readonly Document[] {
  const index: Document = {
    path: "/docs/errors",
    title: "Errors",
    summary: "Every code that Beckon refuses with, its cause and what to do.",
    section: "Reference",
    markdown: page(
      "# Errors",
      `A refusal is JSON: \`{"error": {"code", "message", "docs", …}}\`. Branch on \`code\`; show \`message\` to a person or
a model. More fields may be added. Over MCP the same JSON is the text of a result with \`isError\`; over A2A it is the
data of a task that is rejected.`,
      codes(ERRORS),
      "## Signing in",
      `Under \`/oauth/\` a refusal has the form of RFC 6749: \`{"error": code, "error_description", "error_uri"}\`.`,
      codes(OAUTH_ERRORS),
    ),
  };
  // Where both tables have a code, it means the same.
  return [index, ...Object.entries({ ...OAUTH_ERRORS, ...ERRORS }).map(([code, entry]) => errorPage(code, entry))];
}

function errorPage(code: string, { status, title, cause, remedy }: Entry): Document {
  return {
    path: `/docs/errors/${code}`,
    title: code,
    summary: title,
    section: "Errors",
    markdown: page(
      `# ${title}`,
      `\`${code}\`, HTTP status ${status}`,
      "## Cause",
      cause,
      "## What to do",
      remedy,
      "[All errors](/docs/errors)",
    ),
  };
}

function codes(errors: Readonly<Record<string, Entry>>): string {
  const rows = Object.entries(errors).map(([code, { status, title }]) => [
    String(status),
    `[\`${code}\`](/docs/errors/${code})`,
    title,
  ]);
  return table(["status", "code", "meaning"], rows);
}
