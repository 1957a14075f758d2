import { SIZES } from "../../../../platform/sizes.ts";
import type { ConnectionView, NotConnected, PropertyView } from "../domain.ts";

export const PROBLEMS: Readonly<Record<NotConnected, string>> = {
  refused: "You did not allow it at Google. Nothing was connected.",
  stale:
    "This answer of Google was used already, is too old, or belongs to another browser or account. Nothing was changed: connect again from here.",
  no_answer: "The other side did not answer, or with an error. Nothing was connected: try again later.",
  half_granted:
    "At Google you left out the permission for Search Console, without which nothing can be read. Nothing was connected: tick it the next time.",
  not_ours: "The answer was not meant for this service. Nothing was connected.",
  no_offline:
    "Google gave no lasting access. Remove this service at myaccount.google.com/connections, then connect again.",
  key_refused:
    "Bing does not take this key. Nothing was connected: copy it from Bing Webmaster Tools, Settings, API access.",
  full: `Your account has ${SIZES.connectionsPerAccount} connections, which is the maximum. Disconnect one first.`,
};

export const FAILURES: Readonly<Record<string, string>> = {
  access_revoked: "The access was revoked there, or it has expired. Connect it again.",
  no_answer: "It has not answered for three days. We go on trying.",
};

/** What a property opens, in a few words. */
export function openedBy({ kind, takesSitemaps }: ConnectionView, { opens }: PropertyView): string {
  if (opens === null) return "nothing: you are not verified there, or may only look at some of it";
  if (kind === "bing_webmaster") return "sends pages to Bing, and asks Bing which it has";
  const words = [
    "asks Google which pages it has, 2,000 a day",
    ...(takesSitemaps ? ["hands over sitemaps"] : []),
    ...(opens.isOwner ? ["shows that the pages are yours"] : []),
  ];
  return words.join("; ");
}
