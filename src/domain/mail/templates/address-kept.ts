import { formatTime } from "../../../platform/format.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to an address that is kept for the account that had it before. */
export function addressKept(to: string, { until }: { until: number }): Mail {
  return message(to, "This address is still kept for a Beckon account", [
    `Somebody, we hope you, asked to use this e-mail address for a Beckon account. Until a few days ago it belonged to another account, whose change of address can still be undone. The address will be free from ${formatTime(until)} on.`,
    "If this was not you, ignore this mail: nothing has changed.",
  ]);
}
