import { SEARCH_SERVICES } from "../../../platform/search-services.ts";
import { cut } from "../../../platform/text.ts";
import type { EventData } from "../../events/types.ts";
import { mailOf } from "../layout/letter.ts";
import { type Addressed, NOTICES_PATH } from "../layout/notice.ts";
import type { Mail } from "../mailer.ts";

const CAUSES: Readonly<Record<EventData["connection.failing"]["reason"], string>> = {
  access_revoked: "The access was revoked there, or it has expired.",
  no_answer: "It has not answered for three days.",
};

/** The mail that a connection gives no access any more. It cannot be switched off. */
export function connectionFailing(
  { to, siteUrl }: Addressed,
  { kind, name, reason }: EventData["connection.failing"],
): Mail {
  const subject = `${SEARCH_SERVICES[kind]} no longer gives us access`;
  const parts = [
    `We can no longer use the connection to ${SEARCH_SERVICES[kind]} of ${cut(name, 100)}. ${CAUSES[reason]}`,
    "Your links are looked up by other sources until it works again, and no link was decided because of it. Hosts that only this connection proved to be yours are not verified meanwhile.",
    { link: `${siteUrl}/dashboard/connections`, label: "Connect it again" },
  ];
  const footer = "We send this to the owner of every connection that ends by itself.";
  return mailOf({ to, subject, parts, footer, settings: `${siteUrl}${NOTICES_PATH}` });
}
