export const SCOPES = ["read", "index", "purchase"] as const;
export type Scope = (typeof SCOPES)[number];

/** What each scope lets an app, an agent or a key do, in plain words. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read: "See your balance, projects, links, orders and usage",
  index: "Create projects and checks, which spends your credits, and cancel links that were not sent",
  purchase: "Start purchases of credits: payment links for you, or direct payments where these are enabled",
};

/** How the books and the owner of a channel name a person at the website, and an operator at the command line. */
export const PERSON = "person";
export const OPERATOR = "operator";

/** Who is calling: the account, and the credential that speaks for it. Plain data; it crosses threads. */
export interface Principal {
  readonly accountId: string;
  readonly credential: {
    readonly id: string;
    /** `session`: somebody who is signed in at the website; `push`: the push address of a site. */
    readonly type: "api_key" | "oauth" | "agent" | "session" | "push";
    readonly name: string;
    readonly scopes: readonly Scope[];
    /**
     * The owner of the budget that its calls spend: a key, an app or an agent, however often it was connected. Empty
     * for a session.
     */
    readonly holder: string;
    /** SHA-256 of the access token by which it calls; absent where it calls by none. */
    readonly token?: string | undefined;
  };
}

/** How the books name who made something: the id of the credential, or PERSON. */
export function creatorOf({ credential: { id, type } }: Pick<Principal, "credential">): string {
  return type === "session" ? PERSON : id;
}
