import { LIFETIMES } from "../../domain/oauth/tokens.ts";
import { BODIES } from "../../platform/body-limits.ts";
import { DAY, MINUTE } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { formatNumber } from "../../platform/format.ts";
import { LIMITS } from "../../platform/limits.ts";
import { SIZES } from "../../platform/sizes.ts";
import type { Document } from "./document.ts";
import { table } from "./markdown.ts";
import { pageOf } from "./page.ts";

/** Made from the tables of limits that the service enforces. */
export function limitsDocument(config: Config): Document {
  return pageOf("/docs/limits", config, {
    rates: table(
      ["limit", "counted by", "at most"],
      NAMES.filter((name) => !signInOf(name)).map((name) => [nameOf(name), LIMITS[name].per, mostOf(name)]),
    ),
    signingIn: table(
      ["what", "at most"],
      NAMES.flatMap((name) => {
        const what = signInOf(name);
        return what === undefined ? [] : [[what, mostOf(name)]];
      }),
    ),
    sizes: table(["what", "at most"], SIZE_ROWS),
    accessMinutes: String(LIFETIMES.access / MINUTE),
    refreshDays: String(LIFETIMES.refresh / DAY),
    assertionDays: String(LIFETIMES.assertion / DAY),
  });
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
  ["Body of an access log, as it is sent", megabytes(BODIES.log)],
  ["Body of an access log, unpacked", megabytes(BODIES.logUnpacked)],
  ["Body of a call of a publish hook", megabytes(BODIES.hook)],
  ["Any other body", `${BODIES.other / 1024} KB`],
];

function megabytes(bytes: number): string {
  return `${bytes / 1024 / 1024} MB`;
}
