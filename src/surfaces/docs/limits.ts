import { LIFETIMES } from "../../domain/auth/tokens.ts";
import { DAY, MINUTE } from "../../platform/clock.ts";
import { BODIES, LIMITS, SIZES } from "../../platform/limits.ts";
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
counts begin anew at midnight UTC. Answers of REST, MCP and A2A, also those to nobody known, carry \`RateLimit-Limit\`,
\`RateLimit-Remaining\`, \`RateLimit-Reset\` (seconds) and \`RateLimit-Policy\` of the minute. All doors count together.`,
      "## How often",
      table(
        ["limit", "counted by", "at most"],
        NAMES.filter((name) => !isOfSignIn(name)).map((name) => [nameOf(name), LIMITS[name].per, mostOf(name)]),
      ),
      "## Signing in",
      `People sign in and up on our pages. Where too many attempts have failed, a link by mail lets one in at once.`,
      table(
        ["what", "at most"],
        NAMES.filter(isOfSignIn).map((name) => [SIGN_IN[name], mostOf(name)]),
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

type Name = keyof typeof LIMITS;

const NAMES = Object.keys(LIMITS) as Name[];

/** Those that people meet on pages, in words of their own. */
const SIGN_IN = {
  failed_sign_ins: "Failed attempts to sign in with one e-mail address, from one IP address",
  failed_sign_ins_per_address: "Failed attempts to sign in from one IP address",
  failed_sign_ins_per_person:
    "Failed attempts with one e-mail address, from anywhere: over it nobody is refused, but its owner is told",
  sign_in_notices: "Mails that tell the owner of that",
  sign_ups: "Sign-ups, and links by mail asked for, from one IP address",
  mailed_links: "Links of one kind mailed to an e-mail address, asked for from one IP address",
  mailed_links_per_person: "Links of one kind mailed to an e-mail address, asked for from anywhere",
} as const satisfies Partial<Record<Name, string>>;

function isOfSignIn(name: Name): name is keyof typeof SIGN_IN {
  return name in SIGN_IN;
}

/** "Requests per day" */
function nameOf(name: Name): string {
  const words = name.replaceAll("_", " ");
  return words[0]!.toUpperCase() + words.slice(1);
}

function mostOf(name: Name): string {
  const { count, window } = LIMITS[name];
  return `${figure(count)} per ${window}`;
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
