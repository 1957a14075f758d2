import type { Config } from "../../../platform/config/config.ts";
import { list } from "../markdown.ts";

/** Where a key comes from, said the same on every page that needs one. */
export function keyAdvice({ mode }: Config): string {
  const paid =
    "A key is made in the [dashboard](/dashboard/keys), once the account's e-mail address is confirmed and a first [pack](/pricing) is bought. It is shown once; keep it in `BECKON_API_KEY`.";
  return mode === "sandbox" ? `${paid} ${IN_SANDBOX}` : paid;
}

export const IN_SANDBOX =
  "In a sandbox no money moves. One that runs on your own machine prints a demo key with 10,000 credits when it starts.";

/** What comes after the first project. */
export const NEXT_STEPS = list([
  "[`get_project`](/docs/operations/get_project): the counts; [`list_links`](/docs/operations/list_links): each URL.",
  "Come back on day 4 and day 14. Asking every minute shows nothing new: [how a link lives](/docs/concepts).",
  "When a call is refused: [errors](/docs/errors). What is counted: [limits](/docs/limits).",
]);
