import { type Principal, type Role, SCOPES, type Scope } from "./principal.ts";

/** What only some members of an account may do, besides what scopes allow. */
export const RIGHTS = {
  keys: "Make, change and end API keys, and change what keys, apps and agents may spend",
  share: "Share results by a link, and end such links",
  approve: "Approve what keys, apps and agents ask for",
  settings: "Change the name and the notices of the account, and export everything",
  people: "Invite, change and remove people who are not owners",
  owners: "Make and remove owners, limit what the account spends, and delete it",
} as const;

export type Right = keyof typeof RIGHTS;

interface Row {
  /** In a sentence without its subject. */
  readonly about: string;
  readonly scopes: readonly Scope[];
  readonly rights: readonly Right[];
}

/** What each role may do: the scopes that its credentials can have at most, and its rights. No other place says it. */
const TABLE: Readonly<Record<Role, Row>> = {
  owner: {
    about: "Can do everything",
    scopes: ["read", "index", "purchase"],
    rights: ["keys", "approve", "share", "settings", "people", "owners"],
  },
  manager: {
    about: "Can do everything except change owners and delete the account",
    scopes: ["read", "index", "purchase"],
    rights: ["keys", "approve", "share", "settings", "people"],
  },
  member: {
    about: "Can submit, check and watch within a budget, but not make keys or approve",
    scopes: ["read", "index"],
    rights: [],
  },
  viewer: { about: "Can read", scopes: ["read"], rights: [] },
};

export const aboutRole = (role: Role): string => TABLE[role].about;

/** The scopes that a role has at most. */
export const scopesOfRole = (role: Role): readonly Scope[] => TABLE[role].scopes;

export function hasRight(role: Role, right: Right): boolean {
  return TABLE[role].rights.includes(right);
}

/** What a page or form needs: a scope, a right, or only that somebody is signed in, for what is the person's own. */
export type Need = Scope | Right | "own";

export function allows(role: Role, need: Need): boolean {
  if (need === "own") return true;
  const scope = SCOPES.find((one) => one === need);
  return scope ? TABLE[role].scopes.includes(scope) : hasRight(role, need as Right);
}

/** Whether a caller is a member at the website who may do that. */
export function isMemberWith({ credential: { type }, role }: Principal, right: Right): boolean {
  return type === "session" && role !== null && hasRight(role, right);
}
