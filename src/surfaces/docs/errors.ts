import type { Config } from "../../platform/config/config.ts";
import { ERRORS } from "../../platform/errors/errors.ts";
import { OAUTH_ERRORS } from "../../platform/errors/oauth-errors.ts";
import type { Document } from "./document.ts";
import { page, table } from "./markdown.ts";
import { pageOf } from "./page.ts";

interface Entry {
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  readonly remedy: string;
}

/** The pages that `docs` of an error links to: one for each code and an index, all made from the tables of errors. */
export function errorDocuments(config: Config): readonly Document[] {
  const index = pageOf("/docs/errors", config, { errors: codes(ERRORS), oauthErrors: codes(OAUTH_ERRORS) });
  // A code that is in both tables means the same.
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
