import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { HOUR } from "../../platform/clock.ts";
import { changePerson, personByEmail } from "../people/people.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { createLink, linkOf, type MailedLink, useLink, voidLinks } from "./mailed-links.ts";
import { openSession } from "./sessions.ts";
import type { Visitor } from "./users.ts";

/** The account to try a sandbox with. Nobody gets mail at this address: `.localhost` is reserved (RFC 6761). */
export const DEMO_EMAIL = "demo@beckon.localhost";

/** How long a link that signs in to the demo account is valid, in ms. */
export const DEMO_LINK_LIFETIME = HOUR;

/** Creates a link that signs in to the demo account, and voids earlier ones. @returns the secret, to be shown and stored nowhere */
export async function createDemoLink(tx: Tx, now: number): Promise<string> {
  await voidLinks(tx, DEMO_EMAIL, now, "demo");
  const link = { purpose: "demo", email: DEMO_EMAIL, passwordHash: null, returnTo: "/dashboard" } as const;
  return createLink(tx, { ...link, visitor: null, lifetime: DEMO_LINK_LIFETIME, now });
}

/** The demo link with a secret; null when there is none, or it was used, has expired or is void. */
export async function demoLinkOf(db: Reader, secret: string, now: number): Promise<MailedLink | null> {
  const link = await linkOf(db, secret, now);
  return link?.purpose === "demo" && link.email === DEMO_EMAIL ? link : null;
}

export interface DemoSignIn {
  /** The secret of the link. */
  readonly link: string;
  readonly visitor: Visitor;
  readonly now: number;
}

/**
 * Uses a demo link: signs the browser in to the demo account, and no other. The address counts as verified, since whoever
 * reads the terminal of the service owns the sandbox.
 * @returns the secret of the session; null when the link is not valid
 */
export async function signInByDemoLink(db: Engine, { link: secret, visitor, now }: DemoSignIn): Promise<string | null> {
  const link = await demoLinkOf(db, secret, now);
  if (!link) return null;
  return db.tx(async (tx) => {
    if (!(await useLink(tx, link, now))) return null;
    const person = await personByEmail(tx, DEMO_EMAIL);
    if (!person) return null;
    const { id: personId, verifiedAt } = person;
    await changePerson(tx, personId, { verifiedAt: verifiedAt ?? now });
    const { browser, ip } = visitor;
    await recordSecurityEvent(tx, { personId, kind: "signed_in", subject: browser, ip, now });
    return openSession(tx, { personId, browser, ip, now });
  });
}
