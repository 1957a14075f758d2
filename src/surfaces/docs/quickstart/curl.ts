import type { Config } from "../../../platform/config/config.ts";
import type { Document } from "../document.ts";
import { fenced, page } from "../markdown.ts";
import { keyAdvice, NEXT_STEPS } from "./shared-text.ts";

export function curlQuickstart(config: Config): Document {
  const base = `${config.siteUrl}/api/v1`;
  return {
    path: "/docs/quickstart/curl",
    title: "curl",
    summary: "The REST API from a shell: a price, a project, its state.",
    section: "Begin",
    markdown: page(
      "# curl",
      keyAdvice(config),
      "## 1. Ask what it costs",
      "Nobody has to be known for that, and nothing is spent:",
      fenced(
        "sh",
        `curl ${base}/estimate \\
  -H "Content-Type: application/json" \\
  -d '{"urls":["https://example.com/","https://example.com/about"]}'`,
      ),
      "## 2. Submit",
      `Credits are spent at once. The Idempotency-Key is any text of your own: with the same one the call can be repeated
safely, and its first answer comes back. Another list needs another key.`,
      fenced(
        "sh",
        `curl ${base}/projects \\
  -H "Authorization: Bearer $BECKON_API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: first-try" \\
  -d '{"urls":["https://example.com/","https://example.com/about"]}'`,
      ),
      "## 3. Look",
      "With the `id` of the project that was answered:",
      fenced(
        "sh",
        `curl ${base}/projects/prj_0123456789abc \\
  -H "Authorization: Bearer $BECKON_API_KEY"`,
      ),
      "All its URLs as a file for a spreadsheet:",
      fenced(
        "sh",
        `curl ${base}/projects/prj_0123456789abc/links.csv \\
  -H "Authorization: Bearer $BECKON_API_KEY"`,
      ),
      "## Then",
      NEXT_STEPS,
    ),
  };
}
