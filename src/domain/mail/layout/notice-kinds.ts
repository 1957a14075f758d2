/** What a user is told by mail and may switch off, each with its words on the page and in the mail. */
export const NOTICE_KINDS = {
  projects: {
    label: "Completed projects",
    about: "The result, once every URL of a project or check is decided: at once, then at most one mail an hour.",
  },
  credits: {
    label: "Low credits",
    about: "One mail whenever the balance falls below your threshold.",
  },
  watches: {
    label: "Watched sitemaps",
    about: "When a watch is held, its sitemap cannot be read three times in a row, or its pages wait for credits.",
  },
  receipts: {
    label: "Receipts",
    about: "What you paid and what you got for it, and refunds. All of them stay on the page of orders.",
  },
} as const;

export type NoticeKind = keyof typeof NOTICE_KINDS;

export const NOTICE_KIND_NAMES = Object.keys(NOTICE_KINDS) as NoticeKind[];

export function isNoticeKind(text: string): text is NoticeKind {
  return Object.hasOwn(NOTICE_KINDS, text);
}

/** What is told in any case, since it may mean that somebody else has got in, or that something has ended. */
export const SECURITY_NOTICES = [
  "a sign-in with a browser that we do not know, and failed sign-ins",
  "a new API key, app or agent",
  "a change of the password, the address, a passkey or an authenticator app",
  "a new webhook, a new receiver of push notifications, and a webhook that was disabled",
  "a connection to Search Console or Bing Webmaster that no longer gives access",
  "an export or the deletion of the account",
] as const;
