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
        NAMES.filter((name) => !isOfSignIn(name)).map((name) => [nameOf(name), LIMITS[name].per, mostOf(name)]),
      ),
      "## Signing in",
      `These limits hold on the pages where users sign in and sign up. After too many failed attempts, a link by e-mail
signs you in at once.`,
      table(
        ["what", "at most"],
        NAMES.filter(isOfSignIn).map((name) => [SIGN_IN[name], mostOf(name)]),
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

/** The limits of the sign-in pages, which need a longer description than their names. */
const SIGN_IN = {
  failed_sign_ins:
    "Failed attempts to sign in with one e-mail address, from one IP address or one browser of its owner",
  failed_sign_ins_per_address: "Failed attempts to sign in from one IP address",
  failed_sign_ins_per_person:
    "Failed attempts to sign in with one e-mail address, from anywhere; beyond this its owner is notified, and nobody is refused",
  failed_sign_ins_in_a_row:
    "Wrong passwords in a row for one account, in browsers that its owner has not signed in with",
  failed_sign_ins_without_account: "Wrong passwords for an e-mail address without an account",
  sign_in_notices: "Notifications to the owner about failed attempts",
  new_browser_notices: "Notifications to the owner of one account about sign-ins with browsers that are not known",
  sign_ups: "Sign-ups and requests for a link by e-mail, from one IP address",
  mailed_links:
    "Links of one kind sent to one e-mail address, requested from one IP address or one browser of its owner",
  mailed_links_per_person:
    "Links sent to one e-mail address, requested in browsers that its owner has not signed in with",
  account_notices: "Mails to one e-mail address that it has an account already",
  address_changes: "Changes of one account's e-mail address requested",
  exports: "Exports of everything that one account holds",
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
