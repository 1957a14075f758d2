import { LIFETIMES } from "../../domain/oauth/tokens.ts";
import { DAY, MINUTE } from "../../platform/clock.ts";
import { formatNumber } from "../../platform/format.ts";
import { BODIES, LIMITS, SIZES } from "../../platform/limits.ts";
import type { Document } from "./document.ts";
import { page, table } from "./markdown.ts";

/** Made from the tables of limits that the service enforces. */
export function limitsDocument(): Document {
  return {
    path: "/docs/limits",
    title: "Limits",
    summary: "All limits on rates, sizes and lifetimes, and the headers that tell you what is left.",
    section: "Reference",
    markdown: page(
      "# Limits",
      `A call over a limit is answered with 429 [\`rate_limited\`](/docs/errors/rate_limited) and \`Retry-After\` in seconds. Daily
limits reset at midnight UTC. Every answer of REST, MCP and A2A, also to anonymous calls, has the headers
\`RateLimit-Limit\`, \`RateLimit-Remaining\`, \`RateLimit-Reset\` (seconds) and \`RateLimit-Policy\` for the limit per minute.
Calls over REST, MCP and A2A are counted together.

Reads over REST have an \`ETag\`. Asked again with it in \`If-None-Match\`, they are answered 304 without a body as long as the
answer is the same. Such a call is counted, too.`,
      "## Rates",
      table(
        ["limit", "counted by", "at most"],
        NAMES.filter((name) => !signInOf(name)).map((name) => [nameOf(name), LIMITS[name].per, mostOf(name)]),
      ),
      "## Signing in",
      `These limits hold on the pages where users sign in and sign up. After too many failed attempts, a link by e-mail
signs you in at once.`,
      table(
        ["what", "at most"],
        NAMES.flatMap((name) => {
          const what = signInOf(name);
          return what === undefined ? [] : [[what, mostOf(name)]];
        }),
      ),
      "## Sizes",
      table(["what", "at most"], SIZE_ROWS),
      "## Lifetimes",
      table(
        ["what", "lasts"],
        [
          ["Access token", `${LIFETIMES.access / MINUTE} minutes`],
          ["Refresh token, which can be used once", `${LIFETIMES.refresh / DAY} days`],
          ["Identity assertion of an agent", `${LIFETIMES.assertion / DAY} days`],
          ["Answer remembered for an Idempotency-Key", "24 hours"],
          ["API key", "until it is revoked, or its last day is over if it has one"],
        ],
      ),
      `A call that costs more than the balance is answered with 402
[\`insufficient_credits\`](/docs/errors/insufficient_credits), and spends nothing.`,
    ),
  };
}

type Name = keyof typeof LIMITS;

const NAMES = Object.keys(LIMITS) as Name[];

/** What a limit of the sign-in pages counts. */
function signInOf(name: Name): string | undefined {
  const limit: { readonly per: string; readonly signIn?: string } = LIMITS[name];
  return limit.signIn;
}

/** "Requests per day" */
function nameOf(name: Name): string {
  const words = name.replaceAll("_", " ");
  return words[0]!.toUpperCase() + words.slice(1);
}

function mostOf(name: Name): string {
  const { count, window } = LIMITS[name];
  return `${formatNumber(count)} ${window.startsWith("since ") ? "" : "per "}${window}`;
}

const SIZE_ROWS: readonly (readonly string[])[] = [
  ["URLs of a project, without duplicates and invalid entries", formatNumber(SIZES.urlsPerSubmission)],
  ["Items of `urls` in a request", formatNumber(SIZES.itemsPerRequest)],
  ["Length of a URL", `${formatNumber(SIZES.urlLength)} characters`],
  ["Length of a sitemap's URL", `${formatNumber(SIZES.sitemapUrl)} characters`],
  ["Length of a project's name", `${SIZES.projectName} characters`],
  ["Length of an Idempotency-Key", `${SIZES.idempotencyKey} characters`],
  ["Links per page of a list", formatNumber(SIZES.linksPerPage)],
  ["Other records per page", formatNumber(SIZES.pageLimit)],
  ["Active API keys of an account", formatNumber(SIZES.activeKeys)],
  ["Sites of an account", formatNumber(SIZES.sitesPerAccount)],
  ["Body of a submission, or of an estimate with a credential", megabytes(BODIES.submission)],
  ["Body of an estimate without a credential", megabytes(BODIES.anonymousEstimate)],
  ["Any other body", `${BODIES.other / 1024} KB`],
];

function megabytes(bytes: number): string {
  return `${bytes / 1024 / 1024} MB`;
}
