import { cut } from "../../../platform/text.ts";
import type { EventData } from "../../events/types.ts";
import { mailOf } from "../layout/letter.ts";
import { type Addressed, NOTICES_PATH } from "../layout/notice.ts";
import type { Mail } from "../mailer.ts";

const DISABLED_CAUSES: Readonly<Record<EventData["webhook.disabled"]["reason"], string>> = {
  gone: "It answered 410 Gone, which means that it wants no more events.",
  failing: "Every delivery to it has failed for five days.",
  credential_ended: "The API key, app or agent that made it no longer has access, or may no longer read.",
};

/** The mail that a webhook gets nothing more. It cannot be switched off. */
export function webhookDisabled({ to, siteUrl }: Addressed, { origin, reason }: EventData["webhook.disabled"]): Mail {
  const subject = `Your webhook to ${cut(origin, 80)} was disabled`;
  const parts = [
    `We no longer send events to your webhook at ${cut(origin, 200)}. ${DISABLED_CAUSES[reason]}`,
    "Once it works again, make it active and send it what it has missed: the documents say how.",
    { link: `${siteUrl}/dashboard/webhooks`, label: "How to make it active" },
  ];
  const footer = "We send this to the owner of every webhook that ends, since its receiver learns nothing more.";
  return mailOf({ to, subject, parts, footer, settings: `${siteUrl}${NOTICES_PATH}` });
}
