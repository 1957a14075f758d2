import type { Reader, Tx } from "../../../db/engine.ts";
import { HOUR } from "../../platform/clock.ts";
import { changePerson, personByEmail } from "../people/people.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { createLink, linkOf, type MailedLink, useLink, voidLinks } from "./mailed-links.ts";
import { beginSession } from "./pending-sign-ins.ts";
import type { UserServices, Visitor } from "./users.ts";

/** The account to try a sandbox with. Nobody gets mail at this address: `.localhost` is reserved (RFC 6761). */
export const DEMO_EMAIL = "demo@beckon.localhost";

/** How long a link that signs in is valid, in ms. */
export const SIGN_IN_LINK_LIFETIME = HOUR;

/** `demo`: to the demo account alone, printed at each start of a sandbox; `operator`: to any account, made by a command. */
export type SignInLinkKind = "demo" | "operator";

/** A link that signs a person in, as it came. */
export interface SignInLink {
  readonly kind: SignInLinkKind;
  readonly secret: string;
}

/** Creates a link that signs a person in once, and voids earlier ones. @returns the secret, to be shown and stored nowhere */
export async function createSignInLink(
  tx: Tx,
  { kind, email, now }: { kind: SignInLinkKind; email: string; now: number },
): Promise<string> {
  await voidLinks(tx, email, now, kind);
  const link = { purpose: kind, email, passwordHash: null, visitor: null, returnTo: "/dashboard" } as const;
  return createLink(tx, { ...link, lifetime: SIGN_IN_LINK_LIFETIME, now });
}

/** The link with a secret; null when there is none, or it was used, has expired or is void. */
export async function signInLinkOf(db: Reader, { kind, secret }: SignInLink, now: number): Promise<MailedLink | null> {
  const link = await linkOf(db, secret, now);
  return link?.purpose === kind && (kind === "operator" || link.email === DEMO_EMAIL) ? link : null;
}

/**
 * Uses a link: signs the browser in, or lets it go on to the second step where the person requires one. The address of the demo
 * account counts as verified then, since whoever reads the terminal of the service owns the sandbox.
 * @returns the secret of the session or the pending sign-in; null when the link is not valid
 */
export async function signInByLink(
  { db }: Pick<UserServices, "db">,
  { visitor, now, ...link }: SignInLink & { visitor: Visitor; now: number },
): Promise<string | null> {
  const found = await signInLinkOf(db, link, now);
  if (!found) return null;
  return db.tx(async (tx) => {
    if (!(await useLink(tx, found, now))) return null;
    const person = await personByEmail(tx, found.email);
    if (!person) return null;
    const { id: personId, verifiedAt } = person;
    if (link.kind === "demo") await changePerson(tx, personId, { verifiedAt: verifiedAt ?? now });
    const { browser, ip } = visitor;
    const { secret, isPending } = await beginSession(tx, { personId, browser, ip, now });
    const kind = isPending ? "factor_asked" : "signed_in";
    await recordSecurityEvent(tx, { personId, kind, subject: browser, ip, now });
    return secret;
  });
}
