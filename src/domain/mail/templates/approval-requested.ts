import { formatCount } from "../../../platform/format.ts";
import type { EventData } from "../../events/types.ts";
import { mailOf } from "../layout/letter.ts";
import { type Addressed, lineOf, NOTICES_PATH } from "../layout/notice.ts";
import type { Mail } from "../mailer.ts";

/** The mail that a call waits for approval; null where the person was mailed about the same key, app or agent within the hour. */
export function approvalRequested(
  { to, siteUrl }: Addressed,
  approval: EventData["spending.approval_requested"],
): Mail | null {
  const { approval_id: id, credential_name: name, operation, credits, is_mailed: isMailed } = approval;
  if (!isMailed) return null;
  const cost = formatCount(credits, "credit");
  const asks =
    credits > 0
      ? `“${lineOf(name)}” wants to spend ${cost} of your Beckon account by the operation ${operation}. That is more than it may spend without your approval, so nothing was done yet.`
      : `“${lineOf(name)}” wants to call the operation ${operation} in your Beckon account. It costs nothing, and always needs your approval, so nothing was done yet.`;
  const parts = [
    asks,
    "You can say yes or no within 24 hours. Without an answer, nothing happens. If it asks for more in the next hour, you find that on the same page, and no further mail comes.",
    { link: `${siteUrl}/dashboard/approvals/${id}`, label: "See what it would do" },
  ];
  const footer = "We send this to whoever set the limit above which a call needs approval.";
  return mailOf({
    to,
    subject: credits > 0 ? `Approve ${cost}?` : "Approve a call?",
    parts,
    footer,
    settings: `${siteUrl}${NOTICES_PATH}`,
  });
}
