import { LIFETIMES } from "../auth/tokens.ts";
import { DAY, MINUTE } from "../clock.ts";
import { BODIES, LIMITS, SIZES } from "../limits/table.ts";
import type { Document } from "./document.ts";
import { figure, page, table } from "./markdown.ts";

/** Made of the tables that hold the limits. */
export function limitsDocument(): Document {
  return {
    path: "/docs/limits",
    title: "Limits",
    summary: "How often, how many and how large: every limit, and how an answer tells where you stand.",
    section: "Reference",
    markdown: page(
      "# Limits",
      `A call over a limit is answered with 429 [\`rate_limited\`](/docs/errors/rate_limited) and \`Retry-After\` in seconds. Daily
counts begin anew at midnight UTC. Every answer to a credential carries \`RateLimit-Limit\`, \`RateLimit-Remaining\`,
\`RateLimit-Reset\` (seconds) and \`RateLimit-Policy\` of the minute. All doors count together.`,
      "## How often",
      table(
        ["limit", "counted by", "at most"],
        Object.entries(LIMITS).map(([name, { per, count, window }]) => [
          name.replaceAll("_", " "),
          per,
          `${figure(count)} per ${window}`,
        ]),
      ),
      "## How many, how large",
      table(["what", "at most"], SIZE_ROWS),
      "## How long",
      table(
        ["what", "lasts"],
        [
          ["Access token", `${LIFETIMES.access / MINUTE} minutes`],
          ["Refresh token, good once", `${LIFETIMES.refresh / DAY} days`],
          ["Identity assertion of an agent", `${LIFETIMES.assertion / DAY} days`],
          ["Answer kept under an Idempotency-Key", "24 hours"],
          ["API key", "until it is revoked"],
        ],
      ),
      `Credits are a limit of another kind: a call that costs more than the balance is answered with 402
[\`insufficient_credits\`](/docs/errors/insufficient_credits), and spends nothing.`,
    ),
  };
}

const SIZE_ROWS: readonly (readonly string[])[] = [
  ["URLs of a project or check, after duplicates and invalid entries are dropped", figure(SIZES.urlsPerSubmission)],
  ["Items of `urls` in a request", figure(SIZES.itemsPerRequest)],
  ["Length of a URL", `${figure(SIZES.urlLength)} characters`],
  ["Length of a sitemap's URL", `${figure(SIZES.sitemapUrl)} characters`],
  ["Length of a project's name", `${SIZES.projectName} characters`],
  ["Length of an Idempotency-Key", `${SIZES.idempotencyKey} characters`],
  ["Links per page of a list", figure(SIZES.linksPerPage)],
  ["Other records per page", figure(SIZES.pageLimit)],
  ["Active API keys of an account", figure(SIZES.activeKeys)],
  ["Sites of an account", figure(SIZES.sitesPerAccount)],
  ["Body of a submission, or of an estimate with a credential", megabytes(BODIES.submission)],
  ["Body of an estimate without a credential", megabytes(BODIES.anonymousEstimate)],
  ["Any other body", `${BODIES.other / 1024} KB`],
];

function megabytes(bytes: number): string {
  return `${bytes / 1024 / 1024} MB`;
}
