import type { Config } from "../../../platform/config/config.ts";
import type { Document } from "../document.ts";
import { fenced, page } from "../markdown.ts";
import { keyAdvice, NEXT_STEPS } from "./shared-text.ts";

export function curlQuickstart(config: Config): Document {
  const base = `${config.siteUrl}/api/v1`;
  return {
    path: "/docs/quickstart/curl",
    title: "curl",
    summary: "The REST API from a shell: ask for a price, create a project, read its status.",
    section: "Get started",
    markdown: page(
      "# curl",
      keyAdvice(config),
      "## 1. Ask what it costs",
      "This needs no key, and spends nothing:",
      fenced(
        "sh",
        `curl ${base}/estimate \\
  -H "Content-Type: application/json" \\
  -d '{"urls":["https://example.com/","https://example.com/about"]}'`,
      ),
      "## 2. Submit",
      `Credits are spent at once. The Idempotency-Key is any text that you choose. With the same key you can safely repeat the
call, and get its first answer again. Use another key for another list.`,
      fenced(
        "sh",
        `curl ${base}/projects \\
  -H "Authorization: Bearer $BECKON_API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: first-try" \\
  -d '{"urls":["https://example.com/","https://example.com/about"]}'`,
      ),
      "## 3. Read the status",
      "Use the `id` of the project from the answer:",
      fenced(
        "sh",
        `curl ${base}/projects/prj_0123456789abc \\
  -H "Authorization: Bearer $BECKON_API_KEY"`,
      ),
      "All its URLs as a CSV file:",
      fenced(
        "sh",
        `curl ${base}/projects/prj_0123456789abc/links.csv \\
  -H "Authorization: Bearer $BECKON_API_KEY"`,
      ),
      "## Next steps",
      NEXT_STEPS,
    ),
  };
}
