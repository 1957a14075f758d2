import { CHECK_DAYS } from "../../../platform/check-days.ts";
import type { Config } from "../../../platform/config/config.ts";
import { list } from "../markdown.ts";

/** How to get an API key, for every page that needs one. */
export function keyAdvice({ mode }: Config): string {
  const paid =
    "Create an API key in the [dashboard](/dashboard/keys), once you have confirmed your e-mail address and bought a first [pack](/pricing). It is shown once; put it into the environment variable `BECKON_API_KEY`.";
  return mode === "sandbox" ? `${paid} ${IN_SANDBOX}` : paid;
}

export const IN_SANDBOX =
  "In a sandbox no money moves. A sandbox on your own machine prints a demo key with 10,000 credits when it starts.";

/** What to do after the first project. */
export const NEXT_STEPS = list([
  "[`get_project`](/docs/operations/get_project) answers the counts of a project, [`list_links`](/docs/operations/list_links) the status of each URL.",
  `Ask again after day ${CHECK_DAYS.first} and day ${CHECK_DAYS.final}; there is nothing new every minute. See [how indexing works](/docs/concepts).`,
  "If a call is refused, see [errors](/docs/errors). How many calls you can make: [limits](/docs/limits).",
]);
