import { z } from "zod";
import { BUDGET_NAMES, CALLED_NAMES } from "./provider-names.ts";
import { byName, decimal, names, webAddress, whole } from "./schemas.ts";
import { keysInEach } from "./secrets.ts";

/** The part of the settings table that says how much providers are used, where they are, and by which pages they are tried. */
export const PROVIDER_USE_SETTINGS = {
  CANARY_URLS: {
    schema: names
      .prefault("https://www.wikipedia.org/,https://www.iana.org/")
      .pipe(z.array(z.url("must be addresses of pages, comma-separated")).min(1, "must name a page")),
    about: "Pages that are certainly in Google's index; the answers of a provider that does not find them are ignored",
    secret: false,
  },
  PROVIDER_BUDGETS: {
    schema: byName(BUDGET_NAMES, whole(0, 1_000_000_000)),
    about:
      "Maximum units per day and provider, e.g. `serper=5000,speedyindex=20000`; the provider's own quota applies as well",
  },
  PROVIDER_PRICES: {
    schema: byName(BUDGET_NAMES, decimal(0, 1_000_000)),
    about: "Dollars per unit and provider, e.g. `serper=0.001`, instead of the list price; for the command `providers`",
  },
  PROVIDER_URLS: {
    schema: byName(CALLED_NAMES, webAddress),
    about:
      "Other base URLs of providers' APIs, e.g. `serper=http://127.0.0.1:4010/serper`; `npm run fakes` starts fake providers",
    secret: keysInEach,
  },
  FREE_LOOKUPS_PER_DAY: {
    schema: whole(0, 100_000).default(0),
    about:
      "How many pages a day strangers may have looked up in Google at the front page, by the providers that everybody else's pages use; `0`: none, and they are told only what the pages themselves say",
  },
} as const;
