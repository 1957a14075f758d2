/** What every mail about a passkey, an app or codes links to. */
export interface Notice {
  readonly siteUrl: string;
}

export const NOT_YOU = "If this was not you, somebody else can sign in to your account. Set a new password at once:";
