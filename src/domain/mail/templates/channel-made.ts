import type { Principal } from "../../../platform/principal.ts";
import { cut } from "../../../platform/text.ts";
import { mailOf } from "../layout/letter.ts";
import { NOTICES_PATH } from "../layout/notice.ts";
import type { Mail } from "../mailer.ts";

/** An address that is told of what happens in an account from now on. */
export interface ChannelMade {
  readonly kind: "webhook" | "subscription" | "push";
  readonly url: string;
  /** It told another origin before. */
  readonly isMoved?: boolean;
  /** Who added it. */
  readonly caller: Principal;
}

/** Where whoever made an address can be cut off. */
const PAGES_OF_MAKERS: Readonly<Record<Principal["credential"]["type"], string>> = {
  api_key: "/dashboard/keys",
  oauth: "/dashboard/apps",
  agent: "/dashboard/apps",
  session: "/dashboard/security",
  push: "/dashboard/sites",
};

/** The mail to the owner of an account of which another address is told. It has the origin alone: a path may be a secret. */
export function channelMade(
  { to, siteUrl }: { to: string; siteUrl: string },
  { kind, url, isMoved, caller: { credential } }: ChannelMade,
): Mail {
  const { origin } = new URL(url);
  const isPerson = credential.type === "session";
  const who = isPerson ? "Somebody who is signed in" : `The API key, app or agent “${cut(credential.name, 80)}”`;
  const receiver = cut(origin, 200);
  const what = {
    webhook: `${isMoved ? "changed the address of a webhook of" : "added a webhook to"} your Beckon account: events of the account are sent to ${receiver} from now on.`,
    subscription: `subscribed to events of your Beckon account: they are sent to ${receiver} from now on.`,
    push: `asked to have the progress of a task of your Beckon account sent to ${receiver}.`,
  }[kind];
  const end = {
    webhook: "delete the webhook, and revoke",
    subscription: "end the subscription, and revoke",
    push: "revoke",
  };
  const page = kind === "push" ? PAGES_OF_MAKERS[credential.type] : "/dashboard/webhooks";
  return mailOf({
    to,
    subject: subjectOf(kind, isMoved),
    parts: [
      `${who} ${what}`,
      `If you know about it, you need not do anything. If not, ${end[kind]} whatever made it at once: that ends it, too.`,
      { link: `${siteUrl}${page}`, label: "See who has access" },
    ],
    footer: "We send this to the owner of every account to which such an address is added, or whose address changes.",
    settings: `${siteUrl}${NOTICES_PATH}`,
  });
}

function subjectOf(kind: ChannelMade["kind"], isMoved = false): string {
  if (kind === "subscription") return "An agent gets events of your Beckon account";
  if (kind === "push") return "An agent gets push notifications";
  return isMoved
    ? "A webhook of your Beckon account has another address"
    : "A webhook was added to your Beckon account";
}
