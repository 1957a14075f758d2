import { formatTime } from "../../../platform/format.ts";
import type { EventData } from "../../events/types.ts";
import { mailOf } from "../layout/letter.ts";
import { type Addressed, lineOf, NOTICES_PATH } from "../layout/notice.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the owner of an account whose results can be read by a link from now on. The link is not in it. */
export function shareCreated(
  { to, siteUrl }: Addressed,
  { title, host, expires_at }: EventData["share.created"],
): Mail {
  const what = host === null ? "a project" : `the site ${lineOf(host)}`;
  return mailOf({
    to,
    subject: "Results of your Beckon account are shared by a link",
    parts: [
      `Anybody who has the link can read the results of ${what}, under the title “${lineOf(title)}”, until ${formatTime(Date.parse(expires_at))}.`,
      "If you know of it, you need not do anything. If not, end the link.",
      { link: `${siteUrl}/dashboard/shares`, label: "See what is shared" },
    ],
    footer: "We send this to the owner of every account whose results are shared.",
    settings: `${siteUrl}${NOTICES_PATH}`,
  });
}
