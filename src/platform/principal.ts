export const SCOPES = ["read", "index", "purchase"] as const;
export type Scope = (typeof SCOPES)[number];

/** What each scope lets an app, an agent or a key do, in plain words. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read: "See your balance, projects, links, orders and usage",
  index: "Create projects and checks, which spends your credits, and cancel links that were not sent",
  purchase: "Start purchases of credits: payment links for you, or direct payments where these are enabled",
};

/** What a member of an account is (roles.ts). */
export const ROLES = ["owner", "manager", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** How the books name people at the website, and an operator at the command line. */
export const PERSON = "person";
export const OPERATOR = "operator";

/** Who is calling: the account, and the credential that speaks for a member of it. Plain data; it crosses threads. */
export interface Principal {
  readonly accountId: string;
  /** Who is signed in, or made or connected the credential; null for a push address, which is the account's. */
  readonly personId: string | null;
  /** The role that the person has now; null as above. */
  readonly role: Role | null;
  readonly credential: {
    readonly id: string;
    /** `session`: somebody who is signed in at the website; `push`: the push address of a site. */
    readonly type: "api_key" | "oauth" | "agent" | "session" | "push";
    readonly name: string;
    /** Its own, as far as the role of its person allows them now. */
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

/** Who made something: the id of the credential, or of the person at the website. */
export function creatorOf({ personId, credential: { id, type } }: Principal): string {
  return type === "session" ? personId! : id;
}

/** Who makes a change: a person, by a credential or, where it is null, at the website. */
export interface Doer {
  readonly personId: string | null;
  readonly credential: string | null;
}

export function doerOf({ personId, credential: { id, type } }: Principal): Doer {
  return { personId, credential: type === "session" ? null : id };
}

/** Whether a person made something at the website. @param maker what `creatorOf` said */
export function isPerson(maker: string): boolean {
  return maker.startsWith("per_");
}

/** How the books name a caller: the id of the credential, or PERSON. */
export function bookedAs({ credential: { id, type } }: Pick<Principal, "credential">): string {
  return type === "session" ? PERSON : id;
}
